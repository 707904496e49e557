-- One audit log: append-only, with its personal values in rows beside it that can be erased, and one SHA-256 chain.

ALTER TABLE "audits" ALTER COLUMN "entity_id" DROP NOT NULL;
ALTER TABLE "audits"
  -- What an entry is about, for the filter: the action's first word.
  ADD COLUMN "kind" TEXT NOT NULL GENERATED ALWAYS AS (split_part("action", '.', 1)) STORED,
  ADD COLUMN "details_hash" BYTEA,
  ADD COLUMN "place_hash" BYTEA,
  -- The same key is written once: the opening of a customer in five minutes, a warning in an hour.
  ADD COLUMN "once" UUID,
  -- What stands already counts as written by this transaction.
  ADD COLUMN "tx" BIGINT NOT NULL DEFAULT posting_tx();
CREATE UNIQUE INDEX "audits_once_key" ON "audits" ("once");

-- An entry's personal values: "details" is what was there before and after, "place" is from where it was done.
CREATE TABLE "audit_texts" (
    "audit_id" UUID NOT NULL,
    "part" TEXT NOT NULL,
    "salt" BYTEA NOT NULL,
    "content" JSONB NOT NULL,

    CONSTRAINT "audit_texts_pkey" PRIMARY KEY ("audit_id", "part"),
    CONSTRAINT "audit_texts_part" CHECK ("part" IN ('details', 'place')),
    CONSTRAINT "audit_texts_salt" CHECK (octet_length("salt") = 16),
    -- Deferred: a server of the previous version inserts the entry itself, and a trigger takes its values out before.
    CONSTRAINT "audit_texts_audit_id_fkey" FOREIGN KEY ("audit_id") REFERENCES "audits"("id")
      DEFERRABLE INITIALLY DEFERRED
);

CREATE FUNCTION audit_text_hash(salt bytea, content jsonb) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(salt || convert_to(content::text, 'UTF8'))
$$;

-- Existing entries: their values move beside them.
INSERT INTO "audit_texts" ("audit_id", "part", "salt", "content")
SELECT "id", 'details', uuid_send(gen_random_uuid()),
  CASE WHEN "before" IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('before', "before") END
    || CASE WHEN "after" IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('after', "after") END
FROM "audits" WHERE num_nonnulls("before", "after") > 0;
UPDATE "audits" a SET "before" = NULL, "after" = NULL, "details_hash" = audit_text_hash(t."salt", t."content")
FROM "audit_texts" t WHERE t."audit_id" = a."id";
-- They stay for servers of the previous version, until a later migration drops them.
ALTER TABLE "audits" ADD CONSTRAINT "audits_beside" CHECK (num_nonnulls("before", "after") = 0);

-- The lists of the activity pages, one index for each filter, and the order of the chain.
DROP INDEX "audits_actor_id_idx", "audits_merchant_id_created_at_idx", "audits_entity_entity_id_created_at_idx";
CREATE INDEX "audits_created_at_id_idx" ON "audits" ("created_at" DESC, "id" DESC);
CREATE INDEX "audits_merchant_id_created_at_id_idx" ON "audits" ("merchant_id", "created_at" DESC, "id" DESC);
CREATE INDEX "audits_actor_id_created_at_id_idx" ON "audits" ("actor_id", "created_at" DESC, "id" DESC);
CREATE INDEX "audits_kind_created_at_id_idx" ON "audits" ("kind", "created_at" DESC, "id" DESC);
CREATE INDEX "audits_merchant_id_kind_created_at_id_idx"
  ON "audits" ("merchant_id", "kind", "created_at" DESC, "id" DESC);
CREATE INDEX "audits_entity_id_created_at_id_idx" ON "audits" ("entity_id", "created_at" DESC, "id" DESC);
CREATE INDEX "audits_tx_id_idx" ON "audits" ("tx", "id");

-- Writing ----------------------------------------------------------------------------------------------------------

/*
  Writes an entry with the values beside it. Answers its id, or NULL where `once` was written already: then nothing is
  written. The only way for the application.
*/
CREATE FUNCTION write_audit(given jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  entry uuid := uuidv7();
  only_once uuid := md5(given->>'once')::uuid;
  details jsonb := nullif(
    CASE WHEN given ? 'before' THEN jsonb_build_object('before', given->'before') ELSE '{}'::jsonb END
      || CASE WHEN given ? 'after' THEN jsonb_build_object('after', given->'after') ELSE '{}'::jsonb END, '{}');
  place jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('address', given->'address', 'device', given->'device')), '{}');
  details_salt bytea := uuid_send(gen_random_uuid());
  place_salt bytea := uuid_send(gen_random_uuid());
BEGIN
  -- A repeat costs a look into an index, and no transaction id.
  IF only_once IS NOT NULL AND EXISTS (SELECT FROM audits a WHERE a.once = only_once) THEN RETURN NULL; END IF;
  INSERT INTO audits (id, actor_type, actor_id, api_key_id, customer_id, job, merchant_id, action, entity, entity_id,
    details_hash, place_hash, once, created_at)
  VALUES (entry, (given->>'actorType')::"ActorType", (given->>'actorId')::uuid, (given->>'apiKeyId')::uuid,
    (given->>'customerId')::uuid, given->>'job', (given->>'merchantId')::uuid, given->>'action', given->>'entity',
    given->>'entityId', audit_text_hash(details_salt, details), audit_text_hash(place_salt, place), only_once, now())
  ON CONFLICT (once) DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO audit_texts (audit_id, part, salt, content)
  SELECT entry, v.part, v.salt, v.content
  FROM (VALUES ('details', details_salt, details), ('place', place_salt, place)) v(part, salt, content)
  WHERE v.content IS NOT NULL;
  RETURN entry;
END $$;

-- An entry of a server of the previous version: its values are taken out of it, its time is the database's.
CREATE FUNCTION audit_beside() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  salt bytea := uuid_send(gen_random_uuid());
  details jsonb := nullif(
    CASE WHEN NEW.before IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('before', NEW.before) END
      || CASE WHEN NEW.after IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('after', NEW.after) END, '{}');
BEGIN
  NEW.created_at := now();
  NEW.tx := posting_tx();
  IF details IS NULL THEN RETURN NEW; END IF;
  NEW.before := NULL;
  NEW.after := NULL;
  NEW.details_hash := audit_text_hash(salt, details);
  INSERT INTO audit_texts (audit_id, part, salt, content) VALUES (NEW.id, 'details', salt, details);
  RETURN NEW;
END $$;
CREATE TRIGGER "audits_beside" BEFORE INSERT ON "audits" FOR EACH ROW EXECUTE FUNCTION audit_beside();

-- Takes the values off the entries about an erased customer, and from where the customer acted. The entries stay.
CREATE FUNCTION erase_audit_texts(customer uuid) RETURNS void LANGUAGE sql AS $$
  DELETE FROM audit_texts t USING audits a
  WHERE t.audit_id = a.id AND EXISTS (SELECT FROM customers c WHERE c.id = customer AND c.status = 'erased')
    AND ((a.entity_id = customer::text AND a.entity = 'customer' AND t.part = 'details') OR a.customer_id = customer)
$$;

-- Append-only for everybody; only cut_audits takes away the old ones.
CREATE FUNCTION is_cutting() RETURNS boolean LANGUAGE sql STABLE AS
  $$SELECT coalesce(current_setting('wallet.cutting', true) = 'on', false)$$;
CREATE TRIGGER "audits_no_change" BEFORE UPDATE OR DELETE ON "audits"
  FOR EACH ROW WHEN (NOT is_cutting()) EXECUTE FUNCTION append_only();
CREATE TRIGGER "audits_no_truncate" BEFORE TRUNCATE ON "audits" EXECUTE FUNCTION append_only();
CREATE TRIGGER "audit_texts_no_change" BEFORE UPDATE ON "audit_texts" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "audit_texts_no_truncate" BEFORE TRUNCATE ON "audit_texts" EXECUTE FUNCTION append_only();

-- Sealing ----------------------------------------------------------------------------------------------------------

ALTER TABLE "ledger_progress" DROP CONSTRAINT "ledger_progress_what";
ALTER TABLE "ledger_progress"
  ADD CONSTRAINT "ledger_progress_what" CHECK ("what" IN ('seals', 'sums', 'audits'));
INSERT INTO "ledger_progress" ("what") VALUES ('audits');

-- One chain for the platform: some entries belong to no merchant.
CREATE TABLE "audit_seals" (
    "n" INTEGER NOT NULL,
    "from_tx" BIGINT NOT NULL,
    "to_tx" BIGINT NOT NULL,
    "entries" INTEGER NOT NULL,
    "total" BIGINT NOT NULL,
    "head" BYTEA NOT NULL,
    -- Four bytes of each entry's digest, in order: they name the entry where the head does not agree.
    "marks" BYTEA NOT NULL,
    "sealed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "audit_seals_pkey" PRIMARY KEY ("n"),
    CONSTRAINT "audit_seals_span" CHECK ("n" > 0 AND "to_tx" > "from_tx" AND "entries" > 0 AND "total" >= "entries"),
    CONSTRAINT "audit_seals_head" CHECK (octet_length("head") = 32),
    CONSTRAINT "audit_seals_marks" CHECK (octet_length("marks") = 4 * "entries")
);
ALTER TABLE "audit_seals" ALTER COLUMN "marks" SET STORAGE EXTERNAL;

-- Where the chain begins since its old part was cut: the last seal of that part.
CREATE TABLE "audit_cuts" (
    "n" INTEGER NOT NULL,
    "to_tx" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "head" BYTEA NOT NULL,
    "sealed_at" TIMESTAMPTZ(6) NOT NULL,
    "cut_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "audit_cuts_pkey" PRIMARY KEY ("n")
);
CREATE TRIGGER "audit_seals_no_change" BEFORE UPDATE OR DELETE ON "audit_seals"
  FOR EACH ROW WHEN (NOT is_cutting()) EXECUTE FUNCTION append_only();
CREATE TRIGGER "audit_seals_no_truncate" BEFORE TRUNCATE ON "audit_seals" EXECUTE FUNCTION append_only();
CREATE TRIGGER "audit_cuts_no_change" BEFORE UPDATE OR DELETE ON "audit_cuts"
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "audit_cuts_no_truncate" BEFORE TRUNCATE ON "audit_cuts" EXECUTE FUNCTION append_only();

-- What of each entry is sealed, as SHA-256 of the row in Postgres's own notation; its values by their salted hashes.
CREATE VIEW "sealed_audits" AS
SELECT a.id, a.tx, sha256(convert_to(ROW(
    a.id, a.actor_type, a.actor_id, a.api_key_id, a.customer_id, a.job, a.merchant_id, a.action, a.entity, a.entity_id,
    encode(a.details_hash, 'hex'), encode(a.place_hash, 'hex'), a.once, a.tx, extract(epoch FROM a.created_at)
  )::text, 'UTF8')) AS digest
FROM audits a;

-- A seal's head: the head before it, which seal it is, and the digests of its blocks of 1,000 entries.
CREATE FUNCTION audit_seal_head(previous bytea, n int, from_tx bigint, to_tx bigint, entries int, blocks bytea)
RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(previous || int4send(n) || int8send(from_tx) || int8send(to_tx) || int4send(entries) || blocks)
$$;

-- The chain's last seal, also where everything before was cut; number 0 where nothing was ever sealed.
CREATE FUNCTION last_audit_seal(OUT n int, OUT to_tx bigint, OUT total bigint, OUT head bytea) LANGUAGE sql STABLE AS $$
  SELECT s.n, s.to_tx, s.total, s.head FROM (
    (SELECT s.n, s.to_tx, s.total, s.head FROM audit_seals s ORDER BY s.n DESC LIMIT 1)
    UNION ALL (SELECT c.n, c.to_tx, c.total, c.head FROM audit_cuts c ORDER BY c.n DESC LIMIT 1)
    UNION ALL SELECT 0, 0, 0, first_head()
  ) s ORDER BY s.n DESC LIMIT 1
$$;

-- Seals what was written since the last time, up to the transaction horizon. Answers how many entries. One call at a
-- time; others wait.
CREATE FUNCTION seal_audits() RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  horizon bigint;
  since bigint;
  sealed bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('seal audits', 0));
  -- In statements of their own: the rows are read by a snapshot that is not older than the horizon.
  horizon := transaction_horizon();
  SELECT to_tx INTO since FROM ledger_progress WHERE what = 'audits';
  IF horizon < since THEN
    RAISE EXCEPTION 'transaction ids began anew at %: raise posting_tx_base() above %', horizon, since;
  END IF;
  WITH numbered AS (
    SELECT v.digest, row_number() OVER (ORDER BY v.tx, v.id) AS place
    FROM sealed_audits v WHERE v.tx >= since AND v.tx < horizon
  ), blocks AS (
    SELECT (place - 1) / 1000 AS block, count(*) AS entries,
      sha256(string_agg(digest, ''::bytea ORDER BY place)) AS digest,
      string_agg(substring(digest FROM 1 FOR 4), ''::bytea ORDER BY place) AS marks
    FROM numbered GROUP BY 1
  ), whole AS (
    SELECT sum(entries)::int AS entries, string_agg(digest, ''::bytea ORDER BY block) AS blocks,
      string_agg(marks, ''::bytea ORDER BY block) AS marks
    FROM blocks
  ), made AS (
    INSERT INTO audit_seals (n, from_tx, to_tx, entries, total, head, marks)
    SELECT l.n + 1, l.to_tx, horizon, w.entries, l.total + w.entries,
      audit_seal_head(l.head, l.n + 1, l.to_tx, horizon, w.entries, w.blocks), w.marks
    FROM whole w CROSS JOIN last_audit_seal() l WHERE w.entries > 0
    RETURNING entries
  )
  SELECT coalesce(sum(entries), 0) INTO sealed FROM made;
  UPDATE ledger_progress SET to_tx = horizon WHERE what = 'audits' AND to_tx < horizon;
  RETURN sealed;
END $$;

-- Takes away what was sealed longer ago than that, at a seal, and keeps that seal's head as the chain's beginning. Only
-- for the owner's role. Answers how many entries.
CREATE FUNCTION cut_audits(kept interval DEFAULT '400 days') RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  at audit_seals;
  taken bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('seal audits', 0));
  SELECT * INTO at FROM audit_seals WHERE sealed_at < now() - kept ORDER BY n DESC LIMIT 1;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM set_config('wallet.cutting', 'on', true);
  DELETE FROM audit_texts t USING audits a WHERE a.id = t.audit_id AND a.tx < at.to_tx;
  DELETE FROM audits WHERE tx < at.to_tx;
  GET DIAGNOSTICS taken = ROW_COUNT;
  DELETE FROM audit_seals WHERE n <= at.n;
  PERFORM set_config('wallet.cutting', '', true);
  INSERT INTO audit_cuts (n, to_tx, total, head, sealed_at) VALUES (at.n, at.to_tx, at.total, at.head, at.sealed_at);
  PERFORM write_audit(jsonb_build_object('actorType', 'system', 'job', 'cut_audits', 'action', 'audit.cut',
    'entity', 'platform', 'after', jsonb_build_object('entries', taken, 'until', at.sealed_at)));
  RETURN taken;
END $$;

-- Sessions ---------------------------------------------------------------------------------------------------------

-- A session is opened for an active user, and stays that user's: it slides and ends, and does not come back.
CREATE FUNCTION sessions_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF EXISTS (SELECT FROM users u WHERE u.id = NEW.user_id AND u.status = 'active') THEN RETURN NEW; END IF;
    RAISE EXCEPTION 'a session is opened for an active user only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RAISE EXCEPTION 'a session keeps its user and its token, and does not come back'
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER "sessions_opened" BEFORE INSERT ON "sessions" FOR EACH ROW EXECUTE FUNCTION sessions_guard();
CREATE TRIGGER "sessions_kept" BEFORE UPDATE ON "sessions" FOR EACH ROW
  WHEN (OLD."user_id" <> NEW."user_id" OR (OLD."revoked_at" IS NOT NULL AND NEW."revoked_at" IS NULL)
    OR (NEW."token_hash" IS NOT NULL AND NEW."token_hash" IS DISTINCT FROM OLD."token_hash"))
  EXECUTE FUNCTION sessions_guard();
