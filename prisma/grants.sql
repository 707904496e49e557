-- What the application's role may do. Run by the owner after every migration, as often as one likes: it takes away first.
-- The role's name is in the setting wallet.application; empty where owner and application are one.
-- A new table is open to the application but for TRUNCATE; one of the ledger belongs into `kept` below. A new function that
-- changes data is closed to it until its name is in `doors` (in the owner's name) or `helpers`.
DO $grants$
DECLARE
  app text := nullif(current_setting('wallet.application', true), '');
  -- Read by the application, written by functions alone.
  kept text[] := ARRAY['movements', 'lots', 'lot_moves', 'movement_texts', 'answered_keys', 'used_keys', 'api_key_days', 'holds', 'hold_lots', 'seals', 'config_seals',
    'ledger_progress', 'daily_sums', 'staff_sums', 'pocket_days', 'merchant_days', 'staff_contacts', 'worker_days',
    '_prisma_migrations', 'sql_texts', 'ledger_settings', 'audits', 'audit_texts', 'audit_seals', 'audit_cuts', 'shifts', 'shift_counters', 'drawer_moves', 'events'];
  -- Columns of sessions that never change once a session is opened.
  opened text[] := ARRAY['id', 'user_id', 'kind', 'handle', 'user_agent', 'address', 'created_at', 'till_id'];
  -- Read and appended to: a row stays as it was written.
  appended text[] := ARRAY['points_configs'];
  -- Columns of customers that only posting writes, and the mark that triggers keep.
  money text[] := ARRAY['balance', 'bonus', 'held', 'movement_count', 'event_count', 'last_posted_at', 'unproved_on', 'unproved',
    'held_by_staff'];
  -- What a card is from its registration on: a card that moved to another merchant would take its points along.
  born text[] := ARRAY['id', 'public_id', 'merchant_id', 'registered_at'];
  -- The functions that write in the owner's name: SECURITY DEFINER stands in their files.
  doors text[] := ARRAY['post_movements', 'expire_bonus', 'expire_bonus_of', 'erase_movement_texts', 'seal_movements', 'keep_sums',
    'keep_merchant_days', 'mend_sums', 'keep_staff_contacts', 'mark_staff_card', 'age_posting_guards',
    'write_audit', 'erase_audit_texts', 'seal_audits', 'open_shift', 'move_drawer', 'close_shift', 'give_up_key', 'lapse_holds', 'shorten_holds',
    'add_event', 'add_test_event', 'age_events'];
  -- Functions that change the queue's rows and the tries of PINs as whoever calls them.
  helpers text[] := ARRAY['free_jobs_of', 'take_over_from_dead', 'take_pin_try', 'return_pin_try'];
  thing record;
  columns text;
BEGIN
  FOR thing IN
    SELECT p.oid::regprocedure::text AS signature, p.proname = ANY (doors) AS door, p.provolatile <> 'v' OR p.proname = ANY (helpers) AS open,
      p.prosecdef AS definer, coalesce(p.proconfig, '{}') @> '{"search_path=pg_catalog, public, pg_temp"}' AS safe
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', thing.signature);
    IF (thing.door AND NOT thing.definer) OR (thing.definer AND NOT thing.safe) THEN
      RAISE EXCEPTION 'the function % needs SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp in its file',
        thing.signature;
    END IF;
    IF app IS NOT NULL THEN
      EXECUTE format('REVOKE ALL ON FUNCTION %s FROM %I', thing.signature, app);
      IF thing.door OR thing.open THEN
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', thing.signature, app);
      END IF;
    END IF;
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  IF app IS NULL THEN RETURN; END IF;

  IF (SELECT r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication OR r.rolbypassrls
      FROM pg_roles r WHERE r.rolname = app)
    OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = app::regrole)
    OR EXISTS (SELECT FROM pg_class c WHERE c.relowner = app::regrole AND c.relnamespace = 'public'::regnamespace) THEN
    RAISE EXCEPTION 'the application''s role % must be an ordinary one: no superuser, no member of other roles, owner of no table', app;
  END IF;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM %I', current_database(), app);
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), app);
  EXECUTE format('REVOKE ALL ON SCHEMA public FROM %I', app);
  EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', app);

  FOR thing IN
    SELECT c.oid::regclass::text AS name, c.relname, c.relkind FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('REVOKE ALL ON %s FROM PUBLIC', thing.name);
    -- Of all columns as well: a grant of columns is not taken back with the table's.
    IF thing.relkind <> 'S' THEN
      SELECT string_agg(quote_ident(a.attname), ', ') INTO columns FROM pg_attribute a
      WHERE a.attrelid = thing.name::regclass AND a.attnum > 0 AND NOT a.attisdropped;
      EXECUTE format('REVOKE ALL (%s) ON %s FROM %I', columns, thing.name, app);
    END IF;
    EXECUTE format('REVOKE ALL ON %s FROM %I', thing.name, app);
    IF thing.relkind = 'S' THEN
      EXECUTE format('GRANT USAGE ON SEQUENCE %s TO %I', thing.name, app);
    ELSIF thing.relkind IN ('v', 'm') OR thing.relname = ANY (kept) THEN
      EXECUTE format('GRANT SELECT ON %s TO %I', thing.name, app);
    ELSIF thing.relname = ANY (appended) THEN
      EXECUTE format('GRANT SELECT, INSERT ON %s TO %I', thing.name, app);
    ELSIF thing.relname = 'customers' THEN
      SELECT string_agg(quote_ident(a.attname), ', ') INTO columns FROM pg_attribute a
      WHERE a.attrelid = thing.name::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        AND NOT a.attname = ANY (money || born);
      EXECUTE format('GRANT SELECT, INSERT (%1$s, %2$s), UPDATE (%1$s) ON %3$s TO %4$I', columns,
        array_to_string(born, ', '), thing.name, app);
    ELSIF thing.relname = 'tills' THEN
      SELECT string_agg(quote_ident(a.attname), ', ') INTO columns FROM pg_attribute a
      WHERE a.attrelid = thing.name::regclass AND a.attnum > 0 AND NOT a.attisdropped
        AND NOT a.attname = ANY (ARRAY['period', 'merchant_id', 'created_at']);
      EXECUTE format('GRANT SELECT, INSERT (%1$s, merchant_id, created_at), UPDATE (%1$s) ON %2$s TO %3$I', columns, thing.name, app);
    ELSIF thing.relname = 'sessions' THEN
      SELECT string_agg(quote_ident(a.attname), ', ') INTO columns FROM pg_attribute a
      WHERE a.attrelid = thing.name::regclass AND a.attnum > 0 AND NOT a.attisdropped AND NOT a.attname = ANY (opened);
      EXECUTE format('GRANT SELECT, INSERT, UPDATE (%s), DELETE ON %s TO %I', columns, thing.name, app);
    ELSE
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', thing.name, app);
    END IF;
  END LOOP;

  -- The queue: its jobs are the application's, its schema the owner's.
  IF to_regnamespace('graphile_worker') IS NULL THEN RETURN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA graphile_worker TO %I', app);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO %I', app);
  EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON graphile_worker.migrations FROM %I', app);
  EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA graphile_worker TO %I', app);
  EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO %I', app);
  -- Its tables show their rows to nobody but the owner until a policy says otherwise.
  FOR thing IN
    SELECT c.oid::regclass::text AS name FROM pg_class c
    WHERE c.relnamespace = 'graphile_worker'::regnamespace AND c.relkind IN ('r', 'p') AND c.relrowsecurity
  LOOP
    EXECUTE format('DROP POLICY IF EXISTS application ON %s', thing.name);
    EXECUTE format('CREATE POLICY application ON %s TO %I USING (true) WITH CHECK (true)', thing.name, app);
  END LOOP;
END $grants$;
