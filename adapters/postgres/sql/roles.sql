-- Two roles for a whole server, which may be there already, also through another database at this very moment. Who may
-- not make roles goes without: the tables belong to whoever runs this, who can then grant what stands below to anybody.
DO $$
DECLARE
    who text;
BEGIN
    FOREACH who IN ARRAY ARRAY['skillc_writer', 'skillc_reader'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN', who);
        EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN
            NULL;
        END;
        CONTINUE WHEN NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = who);
        EXECUTE format('GRANT USAGE ON SCHEMA skillc TO %I', who);
        EXECUTE format('GRANT SELECT ON skillc.migration, skillc.store, skillc.access_event, '
            'skillc.access_event_default, skillc.usage_daily, skillc.section_daily, skillc.catalogue_version, '
            'skillc.catalogue, skillc.directory, skillc.directory_vector TO %I', who);
        CONTINUE WHEN who <> 'skillc_writer';
        EXECUTE format('GRANT INSERT ON skillc.access_event, skillc.catalogue_version, skillc.directory_change, '
            'skillc.directory_vector_change TO %I', who);
    END LOOP;
END $$;
