-- What is told of each skill: a row for each time that it changed.

CREATE TABLE skillc.catalogue_version (
    version      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    published_at timestamptz NOT NULL DEFAULT now(),
    org_id       text COLLATE "C" NOT NULL,
    skill        text COLLATE "C" NOT NULL,
    name         text COLLATE "C" NOT NULL,
    description  text COLLATE "C" NOT NULL,
    digest       text COLLATE "C" NOT NULL,
    -- An array of {"file", "level", "text"}.
    headings     jsonb NOT NULL,
    machine      text COLLATE "C" NOT NULL,
    -- By which a skill is found; cut, since the words of a row may take 1 MiB at most.
    words        tsvector NOT NULL GENERATED ALWAYS AS (
        setweight(to_tsvector('pg_catalog.english', left(name, 1000)), 'A')
        || setweight(to_tsvector('pg_catalog.english', left(description, 50000)), 'B')
        || setweight(to_tsvector('pg_catalog.english',
               left(jsonb_path_query_array(headings, '$[*].text')::text, 100000)), 'C')
    ) STORED
);

CREATE INDEX catalogue_version_newest ON skillc.catalogue_version (org_id, skill, version DESC);
CREATE INDEX catalogue_version_words ON skillc.catalogue_version USING gin (words);

CREATE VIEW skillc.catalogue AS
    SELECT DISTINCT ON (org_id, skill) * FROM skillc.catalogue_version ORDER BY org_id, skill, version DESC;
