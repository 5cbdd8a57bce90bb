-- By which the catalogue is searched: the words and the vectors of what is newest of each skill. They follow from the
-- catalogue; `init` makes anew what is missing.

-- As English is stemmed, without stop words: a request leaves those out by itself, unless there is nothing else in it.
CREATE TEXT SEARCH DICTIONARY skillc.stem (TEMPLATE = pg_catalog.snowball, LANGUAGE = english);
CREATE TEXT SEARCH CONFIGURATION skillc.words (COPY = pg_catalog.english);
ALTER TEXT SEARCH CONFIGURATION skillc.words
    ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH skillc.stem;

-- A text without accents.
CREATE FUNCTION skillc.bare(given text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT normalize(regexp_replace(normalize(given, NFD), U&'[\0300-\036F]', '', 'g'), NFC)
$$;

-- The words of a catalogue's entry. What is given are runs of letters and digits between blanks, CJK characters each for
-- itself: the parser of the server takes 'CI/CD' for a file and 'node.js' for a host.
CREATE FUNCTION skillc.words_of(name text, description text, headings text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT setweight(to_tsvector('skillc.words', skillc.bare(name)), 'A')
        || setweight(to_tsvector('skillc.words', skillc.bare(description)), 'B')
        || setweight(to_tsvector('skillc.words', skillc.bare(headings)), 'C')
$$;

-- A request for any of some words; each may be several for the parser, which then stand side by side.
CREATE FUNCTION skillc.any_of(words text[]) RETURNS tsquery
LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(string_agg('(' || phrase::text || ')', ' | '), '')::tsquery
    FROM (SELECT DISTINCT phraseto_tsquery('skillc.words', skillc.bare(word)) AS phrase FROM unnest(words) AS word) AS p
    WHERE numnode(phrase) > 0
$$;

-- Components of two vectors whose signs differ.
DO $$ BEGIN
    EXECUTE format('CREATE FUNCTION skillc.differing(a bit, b bit) RETURNS bigint
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS %L',
        CASE WHEN current_setting('server_version_num')::int >= 140000 THEN 'SELECT bit_count(a # b)'
        ELSE 'SELECT length(replace((a # b)::text, ''0'', ''''))::bigint' END);
END $$;

CREATE TABLE skillc.directory (
    org_id      text COLLATE "C" NOT NULL,
    -- The name by which a skill resolves.
    id          text COLLATE "C" NOT NULL,
    path        text COLLATE "C" NOT NULL,
    name        text COLLATE "C" NOT NULL,
    -- The name in lower case, by which a beginning is found.
    folded      text COLLATE "C" NOT NULL,
    description text COLLATE "C" NOT NULL,
    headings    text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    digest      text COLLATE "C" NOT NULL,
    machine     text COLLATE "C" NOT NULL,
    -- SHA-256 of the text that its vector is made from.
    meaning     bytea NOT NULL,
    words       tsvector NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX directory_words ON skillc.directory USING gin (words);
CREATE INDEX directory_folded ON skillc.directory (org_id, folded);

-- A vector is an array: pgvector, where it is there, sees it through an index (`directory_vector_near`).
CREATE TABLE skillc.directory_vector (
    org_id  text COLLATE "C" NOT NULL,
    model   text COLLATE "C" NOT NULL,
    id      text COLLATE "C" NOT NULL,
    meaning bytea NOT NULL,
    -- The signs of the components: skills whose vectors are near differ in few, which is quickly counted.
    signs   bit(384) NOT NULL,
    vector  real[] NOT NULL CHECK (cardinality(vector) = 384),
    PRIMARY KEY (org_id, model, id),
    FOREIGN KEY (org_id, id) REFERENCES skillc.directory ON DELETE CASCADE
);
ALTER TABLE skillc.directory_vector ALTER COLUMN vector SET STORAGE EXTERNAL;
CREATE INDEX directory_vector_skill ON skillc.directory_vector (org_id, id);

-- Who publishes may insert and nothing else; what an insert means is done here.
CREATE VIEW skillc.directory_change AS SELECT *, false AS is_removed FROM skillc.directory;
CREATE VIEW skillc.directory_vector_change AS SELECT * FROM skillc.directory_vector;

CREATE FUNCTION skillc.change_directory() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.is_removed THEN
        DELETE FROM skillc.directory WHERE org_id = NEW.org_id AND id = NEW.id;
        RETURN NEW;
    END IF;
    INSERT INTO skillc.directory (org_id, id, path, name, folded, description, headings, kind, digest, machine, meaning,
        words)
    VALUES (NEW.org_id, NEW.id, NEW.path, NEW.name, NEW.folded, NEW.description, NEW.headings, NEW.kind, NEW.digest,
        NEW.machine, NEW.meaning, NEW.words)
    ON CONFLICT (org_id, id) DO UPDATE SET
        (path, name, folded, description, headings, kind, digest, machine, meaning, words) =
        (excluded.path, excluded.name, excluded.folded, excluded.description, excluded.headings, excluded.kind,
         excluded.digest, excluded.machine, excluded.meaning, excluded.words);
    DELETE FROM skillc.directory_vector WHERE org_id = NEW.org_id AND id = NEW.id AND meaning <> NEW.meaning;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION skillc.change_directory FROM PUBLIC;

CREATE FUNCTION skillc.change_directory_vector() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- A skill whose text changed in between gets no vector of the old one.
    PERFORM FROM skillc.directory WHERE org_id = NEW.org_id AND id = NEW.id AND meaning = NEW.meaning FOR SHARE;
    IF FOUND THEN
        INSERT INTO skillc.directory_vector (org_id, model, id, meaning, signs, vector)
        VALUES (NEW.org_id, NEW.model, NEW.id, NEW.meaning, NEW.signs, NEW.vector)
        ON CONFLICT (org_id, model, id) DO UPDATE SET
            (meaning, signs, vector) = (excluded.meaning, excluded.signs, excluded.vector);
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION skillc.change_directory_vector FROM PUBLIC;

CREATE TRIGGER change_directory INSTEAD OF INSERT ON skillc.directory_change
    FOR EACH ROW EXECUTE FUNCTION skillc.change_directory();
CREATE TRIGGER change_directory_vector INSTEAD OF INSERT ON skillc.directory_vector_change
    FOR EACH ROW EXECUTE FUNCTION skillc.change_directory_vector();

-- The directory has what the catalogue's own words were for.
DROP VIEW skillc.catalogue;
ALTER TABLE skillc.catalogue_version DROP COLUMN words;
CREATE VIEW skillc.catalogue AS
    SELECT DISTINCT ON (org_id, skill) * FROM skillc.catalogue_version ORDER BY org_id, skill, version DESC;
