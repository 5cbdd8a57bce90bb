-- pgvector where the server offers it and this user may install it, and an index by it over the vectors, which are arrays.
-- Whatever is in the way, arrays serve as well, only slower: nothing here fails.
DO $$
DECLARE
    place text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'vector')
        AND EXISTS (SELECT FROM pg_catalog.pg_available_extensions WHERE name = 'vector') THEN
        CREATE EXTENSION vector WITH SCHEMA skillc;
    END IF;
    SELECT quote_ident(n.nspname) INTO place
    FROM pg_catalog.pg_extension AS e JOIN pg_catalog.pg_namespace AS n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector';
    IF place IS NOT NULL AND to_regclass('skillc.directory_vector_near') IS NULL THEN
        EXECUTE format('CREATE INDEX directory_vector_near ON skillc.directory_vector
            USING hnsw ((vector::%s.vector(384)) %1$s.vector_cosine_ops)', place);
    END IF;
EXCEPTION WHEN OTHERS THEN
    NULL;
END $$;
