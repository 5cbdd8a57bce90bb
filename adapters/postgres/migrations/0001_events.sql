-- The events of all machines, a partition a month; which store this is.

CREATE TABLE skillc.store (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    store   uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO skillc.store DEFAULT VALUES;

-- A key that spans partitions must hold what parts them, and what would part servers; so an event's ts never changes.
CREATE TABLE skillc.access_event (
    ts         timestamptz NOT NULL,
    event_id   uuid        NOT NULL,
    -- As in a local log: 1: the arguments are no JSON object; 2: the time cannot be read, and ts is that within the id.
    flaws      smallint    NOT NULL DEFAULT 0,
    org_id     text COLLATE "C" NOT NULL,
    machine    text COLLATE "C" NOT NULL,
    run_id     text COLLATE "C" NOT NULL,
    command    text COLLATE "C" NOT NULL,
    skill      text COLLATE "C" NOT NULL,
    skill_path text COLLATE "C" NOT NULL,
    cwd        text COLLATE "C" NOT NULL,
    args       text COLLATE "C" NOT NULL,
    error      text COLLATE "C",
    target     text COLLATE "C",
    file       text COLLATE "C",
    section    text COLLATE "C",
    -- The time as it was written, where it could not be read.
    stamp      text COLLATE "C",
    PRIMARY KEY (org_id, event_id, ts),
    CHECK (ts >= '0001-01-01 00:00:00+00' AND ts < '20000-01-01 00:00:00+00')
) PARTITION BY RANGE (ts);

CREATE INDEX access_event_ts ON skillc.access_event USING brin (ts);
-- They are told of whatever the time that is asked for; there are hardly any.
CREATE INDEX access_event_flawed_ts ON skillc.access_event (org_id) WHERE flaws & 2 = 2;

-- Events of months that have no partition of their own yet.
CREATE TABLE skillc.access_event_default PARTITION OF skillc.access_event DEFAULT;

-- Gives a month its own partition, with those of its events that came before it was there. They are moved into a table
-- that is no partition yet and has no trigger, so that no rollup counts them a second time.
CREATE FUNCTION skillc.add_month(month date) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    part  text := format('access_event_%s', to_char(month, 'YYYY_MM'));
    since timestamptz := month::timestamp AT TIME ZONE 'UTC';
    until timestamptz := (month + interval '1 month')::timestamp AT TIME ZONE 'UTC';
BEGIN
    EXECUTE format('CREATE TABLE skillc.%I (LIKE skillc.access_event INCLUDING ALL)', part);
    EXECUTE format('WITH moved AS (DELETE FROM skillc.access_event_default WHERE ts >= $1 AND ts < $2 RETURNING *)
        INSERT INTO skillc.%I SELECT * FROM moved', part) USING since, until;
    EXECUTE format('ALTER TABLE skillc.access_event ATTACH PARTITION skillc.%I FOR VALUES FROM (%L) TO (%L)',
        part, since, until);
    PERFORM skillc.count_what_is_added_to(part);
END $$;
REVOKE ALL ON FUNCTION skillc.add_month FROM PUBLIC;

-- The months that want a partition: last month to three months ahead, and those that have events in the default one, the
-- nearest first. Events with nonsense for a time could ask for any number, so a run makes 240 of them at most.
CREATE FUNCTION skillc.months_without_partition(at timestamptz) RETURNS SETOF date
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    WITH here AS (SELECT date_trunc('month', at AT TIME ZONE 'UTC') AS month),
    wanted AS (
        SELECT (here.month + n * interval '1 month')::date AS month FROM here, generate_series(-1, 3) AS n
        UNION
        SELECT DISTINCT date_trunc('month', ts AT TIME ZONE 'UTC')::date FROM skillc.access_event_default
    )
    SELECT month FROM wanted
    WHERE to_regclass(format('skillc.%I', format('access_event_%s', to_char(month, 'YYYY_MM')))) IS NULL
    ORDER BY abs(month - (SELECT month FROM here)::date) LIMIT 240
$$;
REVOKE ALL ON FUNCTION skillc.months_without_partition FROM PUBLIC;

-- Makes the partitions that are wanted, and says how many. Writers wait meanwhile if there are any to be made.
CREATE FUNCTION skillc.place_events(at timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    made bigint := 0;
    month date;
BEGIN
    IF NOT EXISTS (SELECT FROM skillc.months_without_partition(at)) THEN
        RETURN 0;
    END IF;
    -- Nothing may come into the default partition between the move and the end.
    LOCK TABLE skillc.access_event IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE skillc.access_event_default IN ACCESS EXCLUSIVE MODE;
    FOR month IN SELECT skillc.months_without_partition(at) LOOP
        PERFORM skillc.add_month(month);
        made := made + 1;
    END LOOP;
    RETURN made;
END $$;
REVOKE ALL ON FUNCTION skillc.place_events FROM PUBLIC;
