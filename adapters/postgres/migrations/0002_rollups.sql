-- Counts of each day (UTC), kept by the insert itself: whoever may insert can neither forget nor change them.

CREATE TABLE skillc.usage_daily (
    day         date NOT NULL,
    org_id      text COLLATE "C" NOT NULL,
    skill       text COLLATE "C" NOT NULL,
    -- A part of the key also so that two machines never wait for each other.
    machine     text COLLATE "C" NOT NULL,
    command     text COLLATE "C" NOT NULL,
    n           bigint NOT NULL,
    errors      bigint NOT NULL,
    flawed_args bigint NOT NULL,
    -- Events whose time cannot be read; they are in none of the other numbers.
    flawed_ts   bigint NOT NULL,
    first_ts    timestamptz,
    last_ts     timestamptz,
    PRIMARY KEY (org_id, day, skill, machine, command)
) WITH (fillfactor = 80);

-- They are told of whatever the time that is asked for.
CREATE INDEX usage_daily_flawed_ts ON skillc.usage_daily (org_id, skill, machine, flawed_ts) WHERE flawed_ts > 0;

CREATE TABLE skillc.section_daily (
    day         date   NOT NULL,
    n           bigint NOT NULL,
    has_section boolean NOT NULL,
    org_id      text COLLATE "C" NOT NULL,
    skill       text COLLATE "C" NOT NULL,
    machine     text COLLATE "C" NOT NULL,
    file        text COLLATE "C" NOT NULL,
    section     text COLLATE "C" NOT NULL,
    -- 128 bits of a SHA-256 of the five above: headings may be longer than an index takes, and this is quicker to compare.
    digest      bytea NOT NULL,
    PRIMARY KEY (org_id, day, digest)
) WITH (fillfactor = 80);

-- Adds new events to the counts. Rows are met in one order by everybody, and those of the first table before those of the
-- second, so that nobody waits in a circle.
CREATE FUNCTION skillc.count_added() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO skillc.usage_daily AS kept
        (org_id, day, skill, machine, command, n, errors, flawed_args, flawed_ts, first_ts, last_ts)
    SELECT org_id, (ts AT TIME ZONE 'UTC')::date AS day, skill, machine, command,
           count(*) FILTER (WHERE flaws & 2 = 0),
           count(error) FILTER (WHERE flaws & 2 = 0),
           count(*) FILTER (WHERE flaws & 3 = 1),
           count(*) FILTER (WHERE flaws & 2 = 2),
           min(ts) FILTER (WHERE flaws & 2 = 0),
           max(ts) FILTER (WHERE flaws & 2 = 0)
    FROM added
    GROUP BY org_id, day, skill, machine, command
    ORDER BY org_id, day, skill, machine, command
    ON CONFLICT (org_id, day, skill, machine, command) DO UPDATE SET
        n = kept.n + excluded.n,
        errors = kept.errors + excluded.errors,
        flawed_args = kept.flawed_args + excluded.flawed_args,
        flawed_ts = kept.flawed_ts + excluded.flawed_ts,
        first_ts = least(kept.first_ts, excluded.first_ts),
        last_ts = greatest(kept.last_ts, excluded.last_ts);

    INSERT INTO skillc.section_daily AS kept
        (org_id, day, skill, machine, file, section, has_section, digest, n)
    SELECT org_id, day, skill, machine, file, coalesce(section, ''), section IS NOT NULL,
           substring(sha256(convert_to(octet_length(skill) || '/' || octet_length(machine) || '/' || octet_length(file)
               || '/' || skill || machine || file || coalesce('#' || section, ''), 'UTF8')) FOR 16) AS digest,
           n
    FROM (
        SELECT org_id, (ts AT TIME ZONE 'UTC')::date AS day, skill, machine, file, section, count(*) AS n
        -- Said the other way round, the planner would expect hardly any rows and sort them all.
        FROM added WHERE file IS NOT NULL AND flaws & 2 <> 2
        GROUP BY org_id, day, skill, machine, file, section
    ) AS counted
    ORDER BY org_id, day, digest
    ON CONFLICT (org_id, day, digest) DO UPDATE SET n = kept.n + excluded.n;
    RETURN NULL;
END $$;
-- Nobody may hang it on a table of their own.
REVOKE ALL ON FUNCTION skillc.count_added FROM PUBLIC;

-- A trigger of a statement is that of the table which the statement names: rows that go through the whole are counted
-- there, and those that somebody puts into a partition are counted here.
CREATE FUNCTION skillc.count_what_is_added_to(part text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER count_added AFTER INSERT ON skillc.%I
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION skillc.count_added()', part);
END $$;
REVOKE ALL ON FUNCTION skillc.count_what_is_added_to FROM PUBLIC;

SELECT skillc.count_what_is_added_to('access_event'), skillc.count_what_is_added_to('access_event_default');
