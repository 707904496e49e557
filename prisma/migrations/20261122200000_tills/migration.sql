-- Tills: devices that prove themselves by a key, their drawers, and what they kept without a connection.

CREATE TABLE "tills" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "merchant_id" UUID NOT NULL,
    "branch_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "public_key" JSONB,
    "thumbprint" TEXT,
    "pairing_hash" TEXT,
    "pairing_expires_at" TIMESTAMPTZ(6),
    "paired_at" TIMESTAMPTZ(6),
    "retired_at" TIMESTAMPTZ(6),
    "pin_tries" TIMESTAMPTZ(6)[] NOT NULL DEFAULT '{}',
    "pin_locked_at" TIMESTAMPTZ(6),
    -- Which shift a movement posted now belongs to: 0 before the first is opened, one more with each close. Functions alone
    -- write it.
    "period" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tills_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "tills_paired" CHECK (("public_key" IS NULL) = ("thumbprint" IS NULL) AND ("public_key" IS NULL) = ("paired_at" IS NULL)),
    CONSTRAINT "tills_branch_id_merchant_id_fkey" FOREIGN KEY ("branch_id", "merchant_id")
      REFERENCES "branches"("id", "merchant_id") ON DELETE NO ACTION ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "tills_thumbprint_key" ON "tills"("thumbprint");
CREATE UNIQUE INDEX "tills_pairing_hash_key" ON "tills"("pairing_hash");
-- A retired till's name is free again.
CREATE UNIQUE INDEX "tills_name" ON "tills"("merchant_id", lower("name")) WHERE "retired_at" IS NULL;
CREATE INDEX "tills_merchant_id_created_at_idx" ON "tills"("merchant_id", "created_at");
CREATE INDEX "tills_branch_id_idx" ON "tills"("branch_id");
CREATE TRIGGER "tills_no_delete" BEFORE DELETE ON "tills" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "tills_no_truncate" BEFORE TRUNCATE ON "tills" EXECUTE FUNCTION append_only();

-- The proofs of the last minutes: each is good once.
CREATE TABLE "till_proofs" (
    "hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "till_proofs_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "till_proofs_expires_at_idx" ON "till_proofs"("expires_at");

-- PINs ------------------------------------------------------------------------------------------------------------

CREATE TABLE "worker_pins" (
    "user_id" UUID NOT NULL,
    "pin_hash" TEXT NOT NULL,
    "set_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_pins_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "worker_pins_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The tries of a worker's PIN on a till since the last right one.
CREATE TABLE "pin_tries" (
    "till_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "tries" INTEGER NOT NULL,
    "locked_until" TIMESTAMPTZ(6),

    CONSTRAINT "pin_tries_pkey" PRIMARY KEY ("till_id", "user_id"),
    CONSTRAINT "pin_tries_till_id_fkey" FOREIGN KEY ("till_id") REFERENCES "tills"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "pin_tries_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "pin_tries_user_id_idx" ON "pin_tries"("user_id");

/*
  Takes one try of a worker's PIN on a till before the PIN is looked at, so that guesses sent at once have no more tries
  than guesses sent in turn. `state`: 'taken'; 'last', the try after which the worker's PIN is locked here; 'last_here',
  after which all PINs are locked here; 'locked' with the seconds to wait; 'closed': locked until the owner opens it.
  `taken_at` returns the try by return_pin_try. A worker of NULL is unknown: only the till's tries count.
*/
CREATE FUNCTION take_pin_try(till uuid, worker uuid, clock timestamptz DEFAULT NULL,
  OUT state text, OUT seconds int, OUT taken_at timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  t record;
  p record;
  recent timestamptz[];
BEGIN
  -- One try of a till after the other.
  SELECT pin_tries, pin_locked_at INTO t FROM tills WHERE id = till FOR NO KEY UPDATE;
  taken_at := coalesce(clock, clock_timestamp());
  IF t.pin_locked_at IS NOT NULL THEN
    state := 'closed';
    RETURN;
  END IF;
  IF worker IS NOT NULL THEN
    SELECT tries, locked_until INTO p FROM pin_tries w WHERE w.till_id = till AND w.user_id = worker;
    IF p.locked_until > taken_at THEN
      state := 'locked';
      seconds := ceil(extract(epoch FROM p.locked_until - taken_at));
      RETURN;
    END IF;
    INSERT INTO pin_tries AS w (till_id, user_id, tries) VALUES (till, worker, 1)
    ON CONFLICT (till_id, user_id) DO UPDATE SET
      tries = CASE WHEN w.locked_until IS NULL THEN w.tries + 1 ELSE 1 END, locked_until = NULL;
    UPDATE pin_tries w SET locked_until = taken_at + interval '15 minutes'
    WHERE w.till_id = till AND w.user_id = worker AND w.tries >= 5;
    IF FOUND THEN state := 'last'; END IF;
  END IF;
  recent := ARRAY(SELECT n FROM unnest(t.pin_tries) n WHERE n > taken_at - interval '1 hour') || taken_at;
  IF cardinality(recent) >= 20 THEN state := 'last_here'; END IF;
  UPDATE tills SET pin_tries = recent, pin_locked_at = CASE WHEN cardinality(recent) >= 20 THEN taken_at END WHERE id = till;
  state := coalesce(state, 'taken');
END $$;

-- The PIN was right: its try counts no more, and the worker's count begins anew.
CREATE FUNCTION return_pin_try(till uuid, worker uuid, taken timestamptz) RETURNS void LANGUAGE sql AS $$
  UPDATE tills SET pin_tries = array_remove(pin_tries, taken),
    pin_locked_at = CASE WHEN pin_locked_at <> taken THEN pin_locked_at END WHERE id = till;
  DELETE FROM pin_tries WHERE till_id = till AND user_id = worker;
$$;

-- A session that a PIN opened belongs to its till.
ALTER TABLE "sessions" ADD COLUMN "till_id" UUID REFERENCES "tills"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- The sessions that end with their till.
CREATE INDEX "sessions_till_id_idx" ON "sessions"("till_id") WHERE "till_id" IS NOT NULL;

-- Since when a user is disabled: what a worker did before still posts when it comes late.
ALTER TABLE "users" ADD COLUMN "disabled_at" TIMESTAMPTZ(6);
CREATE FUNCTION keep_disabled_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'disabled' THEN NEW.disabled_at := NULL;
  ELSIF TG_OP = 'INSERT' OR OLD.status <> 'disabled' THEN NEW.disabled_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "users_disabled_at" BEFORE INSERT OR UPDATE OF "status", "disabled_at" ON "users"
  FOR EACH ROW EXECUTE FUNCTION keep_disabled_at();
UPDATE "users" SET "disabled_at" = "updated_at" WHERE "status" = 'disabled';

-- Movements --------------------------------------------------------------------------------------------------------

ALTER TABLE "movements"
  ADD COLUMN "till_id" UUID,
  ADD COLUMN "till_period" INTEGER,
  ADD CONSTRAINT "movements_till_id_fkey" FOREIGN KEY ("till_id") REFERENCES "tills"("id")
    ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID,
  ADD CONSTRAINT "movements_till" CHECK (("till_id" IS NULL) = ("till_period" IS NULL)) NOT VALID;

-- The same digests as before for movements without a till.
CREATE OR REPLACE VIEW "sealed_movements" AS
SELECT m.id, m.merchant_id, m.customer_id, m.seq, m.tx, sha256(convert_to(ROW(
    m.id, m.customer_id, m.merchant_id, m.branch_id, m.actor_type, m.actor_id, m.api_key_id, m.type, m.points,
    m.paid_points, m.bonus_points, m.balance_after, m.bonus_after, m.rate, m.balance_rate, m.seq, m.idempotency_key,
    m.request_hash, m.reverses_id, m.reverses_type, m.refunds_id, m.tender, m.sale_ref, m.proof, m.proof_ref,
    m.actor_name, m.branch_name, encode(m.text_hash, 'hex'), m.tx,
    extract(epoch FROM m.occurred_at), extract(epoch FROM m.created_at),
    CASE WHEN m.bonus_points <> 0 THEN (
      SELECT string_agg(concat_ws(' ', l.lot_id, l.points, extract(epoch FROM l.extended_to)), ',' ORDER BY l.lot_id)
      FROM lot_moves l WHERE l.movement_id = m.id
    ) END,
    CASE m.type WHEN 'BONUS' THEN (
      SELECT concat_ws(' ', l.points, extract(epoch FROM l.granted_ends_at)) FROM lots l WHERE l.id = m.id
    ) END
  )::text || CASE WHEN m.till_id IS NULL AND m.till_period IS NULL THEN ''
    ELSE concat(' till ', m.till_id, ' ', m.till_period) END, 'UTF8')) AS digest
FROM movements m;

-- Shifts -----------------------------------------------------------------------------------------------------------

CREATE TABLE "shifts" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "merchant_id" UUID NOT NULL,
    "till_id" UUID NOT NULL,
    "branch_id" UUID NOT NULL,
    -- The till's period that it counts: 1, 2, 3, … a till.
    "period" INTEGER NOT NULL,
    -- Dirhams in the drawer when it was opened.
    "opening_cash" INTEGER NOT NULL,
    "opened_by_id" UUID NOT NULL,
    "opened_at" TIMESTAMPTZ(6) NOT NULL,
    "closed_by_id" UUID,
    "closed_at" TIMESTAMPTZ(6),
    -- 1, 2, 3, … a merchant, given by the close.
    "report_number" INTEGER,
    -- Dirhams: counted cash less expected cash.
    "difference" BIGINT,
    "report" JSONB,
    "note" TEXT,

    CONSTRAINT "shifts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "shifts_opening_cash" CHECK ("opening_cash" >= 0),
    CONSTRAINT "shifts_closed" CHECK (num_nulls("closed_at", "closed_by_id", "report_number", "difference", "report") IN (0, 5)),
    CONSTRAINT "shifts_till_id_fkey" FOREIGN KEY ("till_id") REFERENCES "tills"("id") ON DELETE RESTRICT ON UPDATE NO ACTION,
    CONSTRAINT "shifts_branch_id_merchant_id_fkey" FOREIGN KEY ("branch_id", "merchant_id")
      REFERENCES "branches"("id", "merchant_id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "shifts_opened_by_id_fkey" FOREIGN KEY ("opened_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE NO ACTION,
    CONSTRAINT "shifts_closed_by_id_fkey" FOREIGN KEY ("closed_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "shifts_open" ON "shifts"("till_id") WHERE "closed_at" IS NULL;
CREATE UNIQUE INDEX "shifts_till_id_period_key" ON "shifts"("till_id", "period");
CREATE UNIQUE INDEX "shifts_merchant_id_report_number_key" ON "shifts"("merchant_id", "report_number");
CREATE INDEX "shifts_merchant_id_opened_at_id_idx" ON "shifts"("merchant_id", "opened_at" DESC, "id" DESC);
CREATE INDEX "shifts_branch_id_idx" ON "shifts"("branch_id");
CREATE INDEX "shifts_opened_by_id_idx" ON "shifts"("opened_by_id");
CREATE INDEX "shifts_closed_by_id_idx" ON "shifts"("closed_by_id");

-- Cash that went into the drawer or out of it and is no sale.
CREATE TABLE "drawer_moves" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "shift_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    -- Dirhams.
    "amount" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "drawer_moves_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "drawer_moves_kind" CHECK ("kind" IN ('pay_in', 'pay_out') AND "amount" > 0),
    CONSTRAINT "drawer_moves_shift_id_fkey" FOREIGN KEY ("shift_id") REFERENCES "shifts"("id") ON DELETE RESTRICT ON UPDATE NO ACTION,
    CONSTRAINT "drawer_moves_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE NO ACTION
);
CREATE INDEX "drawer_moves_shift_id_id_idx" ON "drawer_moves"("shift_id", "id");
CREATE UNIQUE INDEX "drawer_moves_actor_id_idempotency_key_key" ON "drawer_moves"("actor_id", "idempotency_key");

-- The last number of a merchant's reports. Closing locks it, so that no number is skipped.
CREATE TABLE "shift_counters" (
    "merchant_id" UUID NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "shift_counters_pkey" PRIMARY KEY ("merchant_id"),
    CONSTRAINT "shift_counters_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE NO ACTION
);

CREATE FUNCTION shifts_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.closed_at IS NOT NULL THEN
    RAISE EXCEPTION 'a closed shift is never changed, and none is deleted';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "shifts_frozen" BEFORE UPDATE OR DELETE ON "shifts" FOR EACH ROW EXECUTE FUNCTION shifts_frozen();
CREATE TRIGGER "shifts_no_truncate" BEFORE TRUNCATE ON "shifts" EXECUTE FUNCTION append_only();
CREATE TRIGGER "drawer_moves_append_only" BEFORE UPDATE OR DELETE ON "drawer_moves"
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "drawer_moves_no_truncate" BEFORE TRUNCATE ON "drawer_moves" EXECUTE FUNCTION append_only();
CREATE TRIGGER "shift_counters_no_truncate" BEFORE TRUNCATE ON "shift_counters" EXECUTE FUNCTION append_only();

-- Opens a shift: 'opened' with its id, 'not_found', 'till_retired', or 'shift_open' where one is. `within`: the caller's
-- merchant, or null for all; `clock`: when, or null.
CREATE FUNCTION open_shift(till uuid, within uuid, opening int, actor uuid, clock timestamptz DEFAULT NULL,
  OUT outcome text, OUT shift_id uuid, OUT merchant uuid) LANGUAGE plpgsql AS $$
DECLARE
  t tills;
BEGIN
  -- Postings on this till that are under way end first.
  SELECT * INTO t FROM tills WHERE id = till AND (within IS NULL OR merchant_id = within) FOR UPDATE;
  merchant := t.merchant_id;
  outcome := CASE WHEN t.id IS NULL THEN 'not_found' WHEN t.retired_at IS NOT NULL THEN 'till_retired' END;
  IF outcome IS NOT NULL THEN RETURN; END IF;
  -- What was posted before the first shift was opened belongs to none.
  IF t.period = 0 THEN UPDATE tills SET period = 1 WHERE id = till; END IF;
  INSERT INTO shifts (merchant_id, till_id, branch_id, period, opening_cash, opened_by_id, opened_at)
  VALUES (t.merchant_id, till, t.branch_id, greatest(t.period, 1), opening, actor, coalesce(clock, clock_timestamp()))
  ON CONFLICT (till_id) WHERE closed_at IS NULL DO NOTHING RETURNING id INTO shift_id;
  outcome := CASE WHEN shift_id IS NULL THEN 'shift_open' ELSE 'opened' END;
END $$;

-- A pay-in or pay-out: 'moved' or 'replayed' with its id, 'not_found', 'shift_closed', 'key_reused'. `at_till`: the till
-- that the caller stands at, or null for an owner.
CREATE FUNCTION move_drawer(shift uuid, within uuid, at_till uuid, what text, dirhams int, why text, actor uuid, key text,
  clock timestamptz DEFAULT NULL, OUT outcome text, OUT move_id uuid, OUT merchant uuid) LANGUAGE plpgsql AS $$
DECLARE
  s shifts;
  earlier drawer_moves;
BEGIN
  SELECT * INTO s FROM shifts WHERE id = shift AND (within IS NULL OR merchant_id = within)
    AND (at_till IS NULL OR till_id = at_till) FOR UPDATE;
  merchant := s.merchant_id;
  IF NOT FOUND THEN
    outcome := 'not_found';
    RETURN;
  END IF;
  IF s.closed_at IS NULL THEN
    INSERT INTO drawer_moves (shift_id, kind, amount, reason, actor_id, idempotency_key, created_at)
    VALUES (shift, what, dirhams, why, actor, key, coalesce(clock, clock_timestamp()))
    ON CONFLICT (actor_id, idempotency_key) DO NOTHING RETURNING id INTO move_id;
    IF FOUND THEN
      outcome := 'moved';
      RETURN;
    END IF;
  END IF;
  SELECT * INTO earlier FROM drawer_moves d WHERE d.actor_id = actor AND d.idempotency_key = key;
  move_id := earlier.id;
  outcome := CASE
    WHEN earlier.id IS NULL THEN 'shift_closed'
    WHEN (earlier.shift_id, earlier.kind, earlier.amount, earlier.reason) = (shift, what, dirhams, why) THEN 'replayed'
    ELSE 'key_reused'
  END;
END $$;

-- What was taken at a till in a period by tender, in dirhams: top-ups at their rate, less those reversed there. A
-- reversal counts where and when it is made.
CREATE FUNCTION till_tenders(till uuid, in_period int) RETURNS TABLE (tender text, dirhams bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce(m.tender, o.tender)::text, sum(m.paid_points::bigint * m.rate)::bigint
  FROM movements m LEFT JOIN movements o ON o.id = m.reverses_id
  WHERE m.till_id = till AND m.till_period = in_period AND (m.type = 'TOP_UP' OR m.reverses_type = 'TOP_UP')
  GROUP BY 1
$$;

-- The numbers of a shift as its report freezes them.
CREATE FUNCTION shift_report(s shifts, counted jsonb, closer uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  WITH drawer AS (
    SELECT kind, count(*) AS n, sum(amount)::bigint AS dirhams FROM drawer_moves d WHERE d.shift_id = s.id GROUP BY 1
  ), taken AS (
    SELECT t.tender, coalesce(x.dirhams, 0) + CASE WHEN t.tender = 'cash' THEN s.opening_cash
        + coalesce((SELECT dirhams FROM drawer WHERE kind = 'pay_in'), 0)
        - coalesce((SELECT dirhams FROM drawer WHERE kind = 'pay_out'), 0) ELSE 0 END AS expected,
      (counted ->> t.tender)::bigint AS counted, t.place
    FROM unnest(ARRAY['cash', 'card', 'bank', 'online', 'other']) WITH ORDINALITY AS t(tender, place)
    LEFT JOIN till_tenders(s.till_id, s.period) x ON x.tender = t.tender
    WHERE t.tender = 'cash' OR x.tender IS NOT NULL OR counted ? t.tender
  ), kinds AS (
    SELECT m.type::text AS type, count(*) AS n, sum(m.points)::bigint AS points,
      sum(m.points::bigint * m.rate)::bigint AS dirhams
    FROM movements m WHERE m.till_id = s.till_id AND m.till_period = s.period GROUP BY 1
  ), served AS (
    SELECT DISTINCT ON (m.actor_id) m.actor_id AS id, m.actor_name AS name FROM movements m
    WHERE m.till_id = s.till_id AND m.till_period = s.period AND m.actor_id IS NOT NULL ORDER BY m.actor_id, m.id DESC
  ), named AS (
    SELECT u.id, u.first_name || ' ' || u.last_name AS name FROM users u WHERE u.id IN (s.opened_by_id, closer)
  )
  SELECT jsonb_build_object(
    'till', (SELECT name FROM tills WHERE id = s.till_id),
    'branch', (SELECT name FROM branches WHERE id = s.branch_id),
    'openedBy', (SELECT name FROM named WHERE id = s.opened_by_id),
    'closedBy', (SELECT name FROM named WHERE id = closer),
    'tenders', (SELECT jsonb_agg(jsonb_build_object('tender', tender, 'expected', expected, 'counted', counted,
      'difference', counted - expected) ORDER BY place) FROM taken),
    'kinds', coalesce((SELECT jsonb_object_agg(type, jsonb_build_object('count', n, 'points', points, 'dirhams', dirhams))
      FROM kinds), '{}'),
    'drawer', coalesce((SELECT jsonb_object_agg(kind, jsonb_build_object('count', n, 'dirhams', dirhams)) FROM drawer), '{}'),
    'served', coalesce((SELECT jsonb_agg(jsonb_build_object('id', id, 'name', name) ORDER BY name, id) FROM served), '[]')
  )
$$;

/*
  Closes a shift: 'closed', 'not_found', 'shift_closed', or 'entries_waiting' where the till says that entries wait and
  there is no note. The till's row orders it against postings: they hold it shared from before they read the period until
  they commit, so each movement is in this report or in the next.
*/
CREATE FUNCTION close_shift(shift uuid, within uuid, at_till uuid, counted jsonb, remark text, waiting int, actor uuid,
  clock timestamptz DEFAULT NULL, OUT outcome text, OUT merchant uuid) LANGUAGE plpgsql AS $$
DECLARE
  s shifts;
  result jsonb;
  number int;
BEGIN
  PERFORM 1 FROM tills t WHERE t.id = (SELECT f.till_id FROM shifts f WHERE f.id = shift
    AND (within IS NULL OR f.merchant_id = within) AND (at_till IS NULL OR f.till_id = at_till)) FOR UPDATE;
  IF NOT FOUND THEN
    outcome := 'not_found';
    RETURN;
  END IF;
  SELECT * INTO s FROM shifts WHERE id = shift FOR UPDATE;
  merchant := s.merchant_id;
  outcome := CASE
    WHEN s.closed_at IS NOT NULL THEN 'shift_closed'
    WHEN waiting > 0 AND remark IS NULL THEN 'entries_waiting'
  END;
  IF outcome IS NOT NULL THEN RETURN; END IF;
  result := shift_report(s, counted, actor);
  INSERT INTO shift_counters AS k (merchant_id, last) VALUES (s.merchant_id, 1)
  ON CONFLICT (merchant_id) DO UPDATE SET last = k.last + 1 RETURNING last INTO number;
  UPDATE shifts SET closed_by_id = actor, closed_at = greatest(coalesce(clock, clock_timestamp()), opened_at),
    report_number = number, report = result, note = remark,
    difference = (SELECT (t ->> 'difference')::bigint FROM jsonb_array_elements(result -> 'tenders') t
      WHERE t ->> 'tender' = 'cash') WHERE id = shift;
  UPDATE tills SET period = s.period + 1 WHERE id = s.till_id;
  outcome := 'closed';
END $$;

-- What a till kept without a connection ------------------------------------------------------------------------------

CREATE TABLE "offline_entries" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "merchant_id" UUID NOT NULL,
    "till_id" UUID NOT NULL,
    -- The till's own number of the entry.
    "n" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    -- As it was signed: the till's proof of what it kept.
    "signature" TEXT NOT NULL,
    "worker_id" UUID NOT NULL,
    -- As the till named them; the ledger decides whether they are.
    "customer_id" UUID NOT NULL,
    "branch_id" UUID NOT NULL,
    "points" INTEGER NOT NULL,
    "tender" "Tender" NOT NULL,
    "sale_ref" TEXT,
    "occurred_at" TIMESTAMPTZ(6) NOT NULL,
    "received_at" TIMESTAMPTZ(6) NOT NULL,
    "synced_by_id" UUID NOT NULL,
    -- Why it is in the inbox; null where it was posted.
    "code" TEXT,
    "movement_id" UUID,
    "resolved_at" TIMESTAMPTZ(6),
    "resolved_by_id" UUID,
    "resolution" TEXT,
    "reason" TEXT,

    CONSTRAINT "offline_entries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "offline_entries_resolved" CHECK (
      num_nulls("resolved_at", "resolved_by_id", "resolution", "reason") IN (0, 4)
      AND ("resolution" IS NULL OR "resolution" IN ('post', 'move', 'write_off'))
      AND ("movement_id" IS NOT NULL OR "code" IS NOT NULL)),
    CONSTRAINT "offline_entries_till_id_fkey" FOREIGN KEY ("till_id") REFERENCES "tills"("id") ON DELETE RESTRICT ON UPDATE NO ACTION,
    CONSTRAINT "offline_entries_worker_id_fkey" FOREIGN KEY ("worker_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE NO ACTION,
    CONSTRAINT "offline_entries_synced_by_id_fkey" FOREIGN KEY ("synced_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE NO ACTION,
    CONSTRAINT "offline_entries_resolved_by_id_fkey" FOREIGN KEY ("resolved_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE NO ACTION,
    CONSTRAINT "offline_entries_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "offline_entries_till_id_n_key" ON "offline_entries"("till_id", "n");
CREATE UNIQUE INDEX "offline_entries_till_id_key_key" ON "offline_entries"("till_id", "key");
-- The inbox.
CREATE INDEX "offline_entries_merchant_id_id_idx" ON "offline_entries"("merchant_id", "id" DESC);
CREATE INDEX "offline_entries_worker_id_idx" ON "offline_entries"("worker_id");
CREATE INDEX "offline_entries_synced_by_id_idx" ON "offline_entries"("synced_by_id");
CREATE INDEX "offline_entries_resolved_by_id_idx" ON "offline_entries"("resolved_by_id");
CREATE INDEX "offline_entries_movement_id_idx" ON "offline_entries"("movement_id");
CREATE TRIGGER "offline_entries_no_delete" BEFORE DELETE ON "offline_entries" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "offline_entries_no_truncate" BEFORE TRUNCATE ON "offline_entries" EXECUTE FUNCTION append_only();

-- Posting ------------------------------------------------------------------------------------------------------------

-- Of a request to post: the till that it was made at, or null; and whether the owner posts what came late, which a till
-- retired since does not stop.
ALTER TYPE posting_row ADD ATTRIBUTE till uuid, ADD ATTRIBUTE late boolean;
ALTER TYPE posting_outcome ADD ATTRIBUTE till_id uuid, ADD ATTRIBUTE till_name text;

-- A movement that was posted before, as an outcome. Names are those that it keeps; a till has its present name.
CREATE OR REPLACE FUNCTION movement_outcome(idx int, outcome text, movement uuid) RETURNS posting_outcome
LANGUAGE sql STABLE AS $$
  SELECT ROW(
    idx, outcome, NULL, m.balance_after, m.id, m.type, m.points, m.balance_after, m.rate, m.seq, m.created_at,
    t.reason, m.reverses_id, c.id, c.public_id, c.full_name, m.branch_id, m.branch_name, m.actor_id, m.actor_name,
    CASE WHEN m.type IN ('TOP_UP', 'REDEEM') AND v.id IS NULL
      THEN m.created_at + p.undo_minutes * interval '1 minute' END,
    m.refunds_id, m.paid_points, m.bonus_points, m.bonus_after, m.balance_rate, m.tender, m.sale_ref, m.occurred_at,
    m.actor_type, m.till_id, l.name
  )::posting_outcome
  FROM movements m
  JOIN customers c ON c.id = m.customer_id
  LEFT JOIN movement_texts t ON t.movement_id = m.id
  LEFT JOIN movements v ON v.reverses_id = m.id
  LEFT JOIN tills l ON l.id = m.till_id
  CROSS JOIN LATERAL points_config_in_force(m.merchant_id) p
  WHERE m.id = movement
$$;

-- Posts one row, or answers why not. `skip`: a customer whom another transaction has locked is answered busy.
CREATE OR REPLACE FUNCTION post_row(r posting_row, quiet boolean, skip boolean) RETURNS posting_outcome LANGUAGE plpgsql AS $$
DECLARE
  a posting_outcome;
  o movements;
  c record;
  g record;
  change pocket_change;
  moment timestamptz;
  today date;
  kind "ActorType" := coalesce(r.actor_type, 'user');
  given_back boolean := r.type IN ('REVERSAL', 'REFUND');
  at_branch uuid := r.branch;
  card uuid := r.customer;
  used int := 0;
  used_on date;
  salt bytea;
  -- What counts in a worker's day.
  added int := 0;
  bare int := 0;
  standing uuid;
  t tills;
BEGIN
  a.idx := r.idx;
  r.proof := coalesce(r.proof, 'none');
  IF given_back THEN
    SELECT * INTO o FROM movements m WHERE m.id = CASE r.type WHEN 'REFUND' THEN r.refunds ELSE r.reverses END;
    card := o.customer_id;
    at_branch := coalesce(o.branch_id, r.branch);
  END IF;
  IF skip THEN
    SELECT id, public_id, merchant_id, full_name, email, phone, status, balance, bonus, movement_count, last_posted_at,
      unproved_on, unproved INTO c FROM customers WHERE id = card FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND AND NOT given_back THEN
      SELECT id, public_id, merchant_id, full_name, email, phone, status, balance, bonus, movement_count,
        last_posted_at, unproved_on, unproved INTO c FROM customers WHERE public_id = card FOR NO KEY UPDATE SKIP LOCKED;
    END IF;
    IF NOT FOUND AND EXISTS (SELECT 1 FROM customers s WHERE s.id = card OR s.public_id = card) THEN
      a.outcome := 'busy';
      RETURN a;
    END IF;
  ELSE
    SELECT id, public_id, merchant_id, full_name, email, phone, status, balance, bonus, movement_count, last_posted_at,
      unproved_on, unproved INTO c FROM customers WHERE id = card FOR NO KEY UPDATE;
    IF NOT FOUND AND NOT given_back THEN
      SELECT id, public_id, merchant_id, full_name, email, phone, status, balance, bonus, movement_count,
        last_posted_at, unproved_on, unproved INTO c FROM customers WHERE public_id = card FOR NO KEY UPDATE;
    END IF;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(posting_lock()), pg_advisory_xact_lock_shared(key_lock(r.actor, r.key));
  a.balance := c.balance;
  -- Held from before its period is read until the commit: a close waits for this posting, or this posting for the close.
  IF r.till IS NOT NULL THEN SELECT * INTO t FROM tills l WHERE l.id = r.till FOR KEY SHARE; END IF;
  -- Time never runs back for a customer.
  moment := greatest(coalesce(r.at, clock_timestamp()), c.last_posted_at);

  SELECT s.status AS merchant_status, s.suspended_at, s.redeem_allowance, s.spend_order, s.refund_days,
    s.unproved_worker_daily, s.till_required, p.dirhams_per_point, p.min_top_up, p.max_top_up, p.max_balance, p.undo_minutes,
    CASE WHEN p.merchant_id IS NULL AND p.worker_daily_cap IS NULL THEN s.worker_daily_cap ELSE p.worker_daily_cap END
      AS worker_daily_cap,
    b.name AS branch_name, b.merchant_id AS branch_merchant, b.archived_at,
    u.role AS actor_role, u.email AS actor_email, u.phone AS actor_phone,
    u.first_name || ' ' || u.last_name AS actor_name, k.id AS earlier, n.movement_id AS answered,
    EXISTS (
      SELECT 1 FROM staff_contacts h WHERE h.user_id = r.actor
        AND h.hash = sha256(h.salt || convert_to(CASE h.kind WHEN 'email' THEN c.email ELSE c.phone END, 'UTF8'))
    ) AS had_contact
  INTO g
  FROM merchants s
  CROSS JOIN LATERAL points_config_in_force(s.id) p
  LEFT JOIN branches b ON b.id = at_branch
  LEFT JOIN users u ON u.id = r.actor
  LEFT JOIN movements k ON k.actor_id = r.actor AND k.idempotency_key = r.key
  LEFT JOIN answered_keys n ON n.actor_id = r.actor AND n.idempotency_key = r.key
  WHERE s.id = c.merchant_id;
  -- Before anything else is asked.
  IF c.id IS NULL OR r.actor IS NULL OR g.earlier IS NOT NULL OR g.answered IS NOT NULL THEN
    a := repeated_posting(r, c.id);
    IF a.outcome IS NOT NULL THEN RETURN a; END IF;
    a.idx := r.idx;
    a.balance := c.balance;
  END IF;

  IF kind <> 'user' OR given_back OR r.scope = 'own' OR r.type NOT IN ('TOP_UP', 'REDEEM', 'BONUS') THEN
    a.outcome := reach_refusal(r, o, c.merchant_id, at_branch, g);
  ELSE
    a.outcome := CASE
      WHEN c.id IS NULL OR g.actor_role IS NULL OR (r.scope <> 'any' AND c.merchant_id IS DISTINCT FROM r.scope_merchant)
        THEN 'not_found'
      WHEN r.named_merchant <> c.merchant_id OR g.branch_merchant IS DISTINCT FROM c.merchant_id
        OR g.archived_at IS NOT NULL THEN 'branch_mismatch'
    END;
  END IF;
  IF a.outcome IS NULL THEN
    a.outcome := CASE
      WHEN r.till IS NULL THEN CASE WHEN g.till_required AND g.actor_role = 'branch_worker' THEN 'till_required' END
      WHEN t.merchant_id IS DISTINCT FROM c.merchant_id THEN 'branch_mismatch'
      WHEN t.retired_at IS NOT NULL AND r.late IS NOT TRUE THEN 'till_retired'
    END;
  END IF;
  IF a.outcome IS NOT NULL THEN
    a.balance := NULL;
    RETURN a;
  END IF;
  IF r.type = 'REVERSAL' THEN
    SELECT v.id INTO standing FROM movements v WHERE v.reverses_id = o.id;
    IF FOUND THEN
      -- The key is used up, as if this request had posted the reversal: once nobody else is posting under it.
      IF r.actor IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(key_lock(r.actor, r.key));
        a := repeated_posting(r, c.id);
        IF a.outcome IS NOT NULL THEN RETURN a; END IF;
        INSERT INTO answered_keys (actor_id, idempotency_key, request_hash, movement_id)
        VALUES (r.actor, r.key, r.hash, standing);
      END IF;
      RETURN movement_outcome(r.idx, 'replayed', standing);
    END IF;
  END IF;
  -- An adjustment settles a card that no longer moves.
  IF c.status <> 'active' OR g.merchant_status <> 'approved' OR g.suspended_at IS NOT NULL THEN
    a.outcome := CASE
      WHEN c.status = 'erased' THEN 'customer_erased'
      WHEN r.type = 'ADJUSTMENT' THEN NULL
      WHEN g.merchant_status <> 'approved' OR g.suspended_at IS NOT NULL THEN 'merchant_unavailable'
      WHEN c.status = 'blocked' THEN 'customer_blocked'
      ELSE 'customer_frozen'
    END;
    IF a.outcome IS NOT NULL THEN
      a.balance := NULL;
      RETURN a;
    END IF;
  END IF;

  -- What ended meanwhile goes first.
  IF c.bonus > 0 AND EXISTS (
    SELECT 1 FROM lots l WHERE l.customer_id = c.id AND l.remaining > 0 AND l.ends_at <= moment
  ) THEN
    PERFORM expire_locked(ARRAY[c.id], moment, quiet);
    SELECT id, public_id, merchant_id, full_name, email, phone, status, balance, bonus, movement_count, last_posted_at,
      unproved_on, unproved INTO c FROM customers WHERE id = c.id;
    a.balance := c.balance;
  END IF;

  IF r.type IN ('TOP_UP', 'REDEEM', 'BONUS', 'REVERSAL', 'REFUND')
    AND (g.actor_email = c.email OR g.actor_phone = c.phone OR g.had_contact) THEN
    a.outcome := 'own_card';
  ELSIF given_back THEN
    change := original_refusal(r, o, moment, g);
    IF change.outcome IS NULL AND r.type = 'REFUND' THEN
      change := refund_change(o, r.points, moment);
    ELSIF change.outcome IS NULL THEN
      change := reversal_change(o, c.balance - c.bonus, moment);
    END IF;
    a.outcome := change.outcome;
    a.allowed := change.allowed;
  ELSIF r.points IS NULL OR r.points = 0 OR (r.points < 0 AND r.type <> 'ADJUSTMENT')
    OR (r.type IN ('TOP_UP', 'BONUS') AND r.points < g.min_top_up) THEN
    a.outcome := 'below_minimum';
    a.allowed := CASE WHEN r.type IN ('TOP_UP', 'BONUS') THEN g.min_top_up ELSE 1 END;
  ELSIF r.type IN ('TOP_UP', 'BONUS') AND r.points > g.max_top_up THEN
    a.outcome := 'above_maximum';
    a.allowed := g.max_top_up;
  ELSIF r.type = 'REDEEM' THEN
    IF r.points > c.balance THEN
      a.outcome := 'insufficient_balance';
    ELSIF r.proof = 'invalid' THEN
      a.outcome := 'proof_invalid';
    ELSIF r.proof = 'none' THEN
      today := (moment AT TIME ZONE 'Asia/Qatar')::date;
      IF c.unproved_on = today THEN used := c.unproved; END IF;
      IF used + r.points > g.redeem_allowance THEN
        a.outcome := 'proof_required';
        a.allowed := g.redeem_allowance;
      END IF;
    END IF;
  ELSIF c.balance + r.points < 0 THEN
    a.outcome := 'insufficient_balance';
  ELSIF r.points > 0 AND c.balance + r.points > g.max_balance THEN
    a.outcome := 'balance_limit';
    a.allowed := g.max_balance;
  ELSIF r.type = 'BONUS' AND r.ends_at <= moment THEN
    a.outcome := 'bonus_ended';
  END IF;
  IF a.outcome IS NOT NULL THEN RETURN a; END IF;

  -- A worker's limits span customers: the row of the worker's day decides.
  IF g.actor_role = 'branch_worker' AND (r.type IN ('TOP_UP', 'REFUND') OR (r.type = 'REDEEM' AND r.proof = 'none')) THEN
    today := (moment AT TIME ZONE 'Asia/Qatar')::date;
    IF r.type = 'REDEEM' THEN bare := r.points;
    ELSE added := CASE r.type WHEN 'TOP_UP' THEN r.points ELSE change.paid + change.bonus END;
    END IF;
    INSERT INTO worker_days AS w (user_id, day, topped_up, unproved)
    SELECT r.actor, today, added, bare
    WHERE CASE WHEN added > 0 THEN g.worker_daily_cap IS NULL OR added <= g.worker_daily_cap
      ELSE bare <= g.unproved_worker_daily END
    ON CONFLICT (user_id, day) DO UPDATE SET topped_up = w.topped_up + added, unproved = w.unproved + bare
    WHERE CASE WHEN added > 0 THEN g.worker_daily_cap IS NULL OR w.topped_up + added <= g.worker_daily_cap
      ELSE w.unproved + bare <= g.unproved_worker_daily END;
    IF NOT FOUND THEN
      a.outcome := CASE WHEN added > 0 THEN 'daily_cap' ELSE 'worker_proof_required' END;
      a.allowed := CASE WHEN added > 0 THEN g.worker_daily_cap ELSE g.unproved_worker_daily END;
      RETURN a;
    END IF;
  END IF;

  IF r.type = 'REDEEM' AND r.proof <> 'none' THEN
    INSERT INTO proof_uses (customer_id, reference, used_at) VALUES (c.id, r.proof_ref, moment) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      a.outcome := 'proof_invalid';
      RETURN a;
    END IF;
  END IF;

  a.movement_id := uuidv7();
  IF NOT given_back THEN
    a.points := CASE r.type WHEN 'REDEEM' THEN -r.points ELSE r.points END;
    IF a.points < 0 AND c.bonus > 0 THEN
      change := draw_pockets(c.id, c.balance - c.bonus, -a.points, g.spend_order);
    ELSIF r.type = 'BONUS' THEN
      change := ROW(NULL, NULL, 0, a.points, ARRAY[a.movement_id], ARRAY[a.points], NULL)::pocket_change;
    ELSE
      change.paid := a.points;
      change.bonus := 0;
    END IF;
  ELSE
    a.points := change.paid + change.bonus;
  END IF;
  IF r.reason IS NOT NULL THEN salt := uuid_send(gen_random_uuid()); END IF;
  a.balance_after := c.balance + a.points;
  a.bonus_after := c.bonus + change.bonus;
  a.seq := c.movement_count + 1;
  a.balance_rate := g.dirhams_per_point;
  -- What is given back is given back at what it was worth.
  a.rate := CASE WHEN given_back THEN o.rate ELSE g.dirhams_per_point END;
  a.occurred_at := coalesce(r.occurred, moment);
  a.tender := CASE r.type WHEN 'TOP_UP' THEN coalesce(r.tender, 'cash') END;

  INSERT INTO movements (id, customer_id, merchant_id, branch_id, actor_type, actor_id, api_key_id, type, points,
    paid_points, bonus_points, balance_after, bonus_after, rate, balance_rate, seq, idempotency_key, request_hash,
    reverses_id, reverses_type, refunds_id, tender, sale_ref, proof, proof_ref, actor_name, branch_name, text_hash,
    tx, occurred_at, created_at, till_id, till_period)
  VALUES (a.movement_id, c.id, c.merchant_id, at_branch, kind, r.actor, r.api_key, r.type, a.points,
    change.paid, change.bonus, a.balance_after, a.bonus_after, a.rate, a.balance_rate, a.seq, r.key, r.hash,
    r.reverses, CASE r.type WHEN 'REVERSAL' THEN o.type END, r.refunds, a.tender, r.sale_ref,
    CASE r.type WHEN 'REDEEM' THEN r.proof::"ProofKind" ELSE 'none' END,
    CASE WHEN r.type = 'REDEEM' AND r.proof <> 'none' THEN r.proof_ref END,
    g.actor_name, g.branch_name, sha256(salt || convert_to(r.reason, 'UTF8')), posting_tx(), a.occurred_at, moment,
    t.id, t.period)
  -- A key without a user belongs to the customer, whose lock is held: only a user's can be taken meanwhile.
  ON CONFLICT (actor_id, idempotency_key) DO NOTHING;
  -- Another transaction posted the same key for another customer a moment ago.
  IF NOT FOUND THEN
    IF r.type = 'REDEEM' AND r.proof <> 'none' THEN
      DELETE FROM proof_uses WHERE customer_id = c.id AND reference = r.proof_ref;
    END IF;
    IF added + bare > 0 THEN
      UPDATE worker_days SET topped_up = topped_up - added, unproved = unproved - bare
      WHERE user_id = r.actor AND day = today;
    END IF;
    RETURN repeated_posting(r, c.id);
  END IF;
  IF r.type = 'BONUS' THEN
    INSERT INTO lots (id, customer_id, merchant_id, points, remaining, ends_at, granted_ends_at)
    VALUES (a.movement_id, c.id, c.merchant_id, a.points, a.points, r.ends_at, r.ends_at);
  ELSIF change.bonus <> 0 THEN
    UPDATE lots l SET remaining = l.remaining + n.points, ends_at = coalesce(n.ends, l.ends_at),
      extended = l.extended OR n.ends IS NOT NULL
    FROM unnest(change.lots, change.lot_points, change.lot_ends) AS n(lot, points, ends) WHERE l.id = n.lot;
  END IF;
  IF change.bonus <> 0 THEN
    INSERT INTO lot_moves (movement_id, lot_id, points, extended_to)
    SELECT a.movement_id, n.lot, n.points, n.ends
    FROM unnest(change.lots, change.lot_points, change.lot_ends) AS n(lot, points, ends);
  END IF;
  IF r.reason IS NOT NULL THEN
    INSERT INTO movement_texts (movement_id, salt, reason) VALUES (a.movement_id, salt, r.reason);
  END IF;

  used_on := c.unproved_on;
  IF r.type = 'REDEEM' AND r.proof = 'none' THEN
    used_on := today;
    used := used + r.points;
  ELSE
    used := c.unproved;
    IF o.type = 'REDEEM' AND r.type = 'REVERSAL' AND o.proof = 'none'
      AND (o.created_at AT TIME ZONE 'Asia/Qatar')::date = used_on THEN
      used := used + o.points;
    END IF;
    -- What is undone no longer counts in the day of the worker who did it.
    IF r.type = 'REVERSAL' AND (o.type IN ('TOP_UP', 'REFUND') OR (o.type = 'REDEEM' AND o.proof = 'none')) THEN
      UPDATE worker_days SET topped_up = topped_up - greatest(o.points, 0), unproved = unproved + least(o.points, 0)
      WHERE user_id = o.actor_id AND day = (o.created_at AT TIME ZONE 'Asia/Qatar')::date;
    END IF;
  END IF;
  UPDATE customers SET balance = a.balance_after, bonus = a.bonus_after, movement_count = a.seq,
    last_posted_at = moment, unproved_on = used_on, unproved = used WHERE id = c.id;
  IF NOT quiet THEN INSERT INTO posting_outbox VALUES (a.movement_id); END IF;

  a.outcome := 'posted';
  a.balance := a.balance_after;
  a.type := r.type;
  a.created_at := moment;
  a.reason := r.reason;
  a.reverses_id := r.reverses;
  a.refunds_id := r.refunds;
  a.paid_points := change.paid;
  a.bonus_points := change.bonus;
  a.sale_ref := r.sale_ref;
  a.customer_id := c.id;
  a.public_id := c.public_id;
  a.full_name := c.full_name;
  a.branch_id := at_branch;
  a.branch_name := g.branch_name;
  a.actor_type := kind;
  a.actor_id := r.actor;
  a.actor_name := g.actor_name;
  a.till_id := t.id;
  a.till_name := t.name;
  a.undo_until := CASE WHEN r.type IN ('TOP_UP', 'REDEEM') THEN moment + g.undo_minutes * interval '1 minute' END;
  RETURN a;
END $$;

-- The only writer of movements, pockets and balances, as before; it now writes tills.
CREATE OR REPLACE FUNCTION post_movements(rows jsonb, quiet boolean, skip boolean) RETURNS SETOF posting_outcome
LANGUAGE plpgsql
-- A plan made while the tables were small must stay right as they grow: always by index, and made once.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET wallet.posting = 'post' AS $$
DECLARE
  wanted uuid[];
  locked uuid[];
  clock timestamptz;
  answers posting_outcome[];
  done int[];
  raced boolean;
  batch_day date;
  r posting_row;
BEGIN
  IF jsonb_array_length(rows) = 1 THEN
    RETURN NEXT post_row(jsonb_populate_record(NULL::posting_row, rows -> 0), quiet, skip);
    RETURN;
  END IF;

  wanted := ARRAY(
    SELECT DISTINCT coalesce(o.customer_id, own.id, shown.id)
    FROM jsonb_to_recordset(rows) AS i(customer uuid, reverses uuid, refunds uuid)
    LEFT JOIN movements o ON o.id = coalesce(i.reverses, i.refunds)
    LEFT JOIN customers own ON own.id = i.customer
    LEFT JOIN customers shown ON shown.public_id = i.customer AND own.id IS NULL
  );
  IF skip THEN
    locked := ARRAY(SELECT c.id FROM customers c WHERE c.id = ANY (wanted) ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED);
  ELSE
    locked := ARRAY(SELECT c.id FROM customers c WHERE c.id = ANY (wanted) ORDER BY c.id FOR NO KEY UPDATE);
  END IF;
  -- After the customers: who waits for one of them holds up no change of configuration, and so nobody else.
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  PERFORM pg_advisory_xact_lock_shared(key_lock(i.actor, i.key)) FROM jsonb_to_recordset(rows) AS i(actor uuid, key text);
  -- As post_row holds one.
  IF rows @? '$[*].till' THEN
    PERFORM 1 FROM tills t WHERE t.id = ANY (ARRAY(SELECT i.till FROM jsonb_to_recordset(rows) AS i(till uuid)))
    ORDER BY t.id FOR KEY SHARE;
  END IF;
  clock := clock_timestamp();
  batch_day := (clock AT TIME ZONE 'Asia/Qatar')::date;
  -- The days of the workers whose limits these rows touch: locked in one order, and read below as they stand.
  INSERT INTO worker_days AS w (user_id, day)
  SELECT u.id, batch_day FROM (
    SELECT DISTINCT n.actor
    FROM jsonb_to_recordset(rows) AS i(actor uuid, type text, proof text, reverses uuid)
    LEFT JOIN movements o ON o.id = i.reverses
    CROSS JOIN LATERAL unnest(ARRAY[i.actor, o.actor_id]) AS n(actor)
    WHERE i.type IN ('TOP_UP', 'REFUND', 'REVERSAL') OR (i.type = 'REDEEM' AND coalesce(i.proof, 'none') = 'none')
  ) a JOIN users u ON u.id = a.actor AND u.role = 'branch_worker' ORDER BY u.id
  ON CONFLICT (user_id, day) DO UPDATE SET topped_up = w.topped_up WHERE false;

  WITH i AS MATERIALIZED (
    SELECT * FROM jsonb_populate_recordset(NULL::posting_row, rows)
  ), given AS MATERIALIZED (
    SELECT i.*, uuidv7() AS id, c.id AS customer_id, c.public_id, c.full_name, c.merchant_id, c.balance AS held,
      c.bonus, c.movement_count, c.unproved_on, greatest(clock, c.last_posted_at) AS moment,
      p.dirhams_per_point, p.undo_minutes, p.max_balance, b.name AS branch_name,
      u.first_name || ' ' || u.last_name AS actor_name, u.role AS actor_role, t.period AS till_period, t.name AS till_name, s.redeem_allowance, day.today,
      CASE WHEN c.unproved_on = day.today THEN c.unproved ELSE 0 END AS used_before,
      CASE i.type WHEN 'REDEEM' THEN -i.points ELSE i.points END AS signed,
      sum(CASE i.type WHEN 'REDEEM' THEN -i.points ELSE i.points END) OVER own AS moved,
      sum(CASE i.type WHEN 'REDEEM' THEN i.points ELSE 0 END) OVER own AS redeemed,
      row_number() OVER own AS nth,
      coalesce(
        i.at IS NULL AND i.reason IS NULL AND i.points > 0 AND coalesce(i.actor_type, 'user') = 'user'
        AND k.id IS NULL AND n.movement_id IS NULL AND count(*) OVER (PARTITION BY i.actor, i.key) = 1
        AND (i.scope = 'any' OR (i.scope = 'merchant' AND c.merchant_id = i.scope_merchant))
        AND (i.named_merchant IS NULL OR i.named_merchant = c.merchant_id)
        AND b.merchant_id = c.merchant_id AND b.archived_at IS NULL
        AND s.status = 'approved' AND s.suspended_at IS NULL AND c.status = 'active'
        AND u.email <> c.email AND (u.phone IS NULL OR c.phone IS NULL OR u.phone <> c.phone)
        AND NOT EXISTS (
          SELECT 1 FROM staff_contacts h WHERE h.user_id = u.id
            AND h.hash = sha256(h.salt || convert_to(CASE h.kind WHEN 'email' THEN c.email ELSE c.phone END, 'UTF8')))
        AND (u.role <> 'branch_worker' OR day.today = batch_day)
        AND CASE WHEN i.till IS NULL THEN NOT (s.till_required AND u.role = 'branch_worker')
          ELSE t.merchant_id = c.merchant_id AND t.retired_at IS NULL END
        -- A worker's limit is not met even if all these rows are posted; else each is decided in its turn.
        AND CASE i.type
          WHEN 'TOP_UP' THEN i.points BETWEEN p.min_top_up AND p.max_top_up
            AND (u.role <> 'branch_worker' OR day.cap IS NULL OR (NOT bool_or(i.type = 'REFUND') OVER staff
              AND w.topped_up + sum(CASE i.type WHEN 'TOP_UP' THEN greatest(i.points, 0) END) OVER staff <= day.cap))
          WHEN 'REDEEM' THEN i.proof = 'none' AND c.bonus = 0
            AND (u.role <> 'branch_worker' OR w.unproved
              + sum(CASE WHEN i.type = 'REDEEM' AND coalesce(i.proof, 'none') = 'none' THEN greatest(i.points, 0) END)
                OVER staff <= s.unproved_worker_daily)
          ELSE false
        END
        AND (c.bonus = 0 OR NOT EXISTS (
          SELECT 1 FROM lots l WHERE l.customer_id = c.id AND l.remaining > 0
            AND l.ends_at <= greatest(clock, c.last_posted_at))),
        false
      ) AS fine
    FROM i
    LEFT JOIN customers own ON own.id = i.customer
    LEFT JOIN customers shown ON shown.public_id = i.customer AND own.id IS NULL
    LEFT JOIN movements o ON o.id = coalesce(i.reverses, i.refunds)
    JOIN customers c ON c.id = coalesce(o.customer_id, own.id, shown.id) AND c.id = ANY (locked)
    JOIN merchants s ON s.id = c.merchant_id
    CROSS JOIN LATERAL points_config_in_force(c.merchant_id) p
    CROSS JOIN LATERAL (
      SELECT (greatest(clock, c.last_posted_at) AT TIME ZONE 'Asia/Qatar')::date AS today,
        CASE WHEN p.merchant_id IS NULL AND p.worker_daily_cap IS NULL THEN s.worker_daily_cap ELSE p.worker_daily_cap END
          AS cap) day
    LEFT JOIN branches b ON b.id = i.branch
    LEFT JOIN users u ON u.id = i.actor
    LEFT JOIN tills t ON t.id = i.till
    LEFT JOIN worker_days w ON w.user_id = u.id AND w.day = batch_day
    LEFT JOIN movements k ON k.actor_id = i.actor AND k.idempotency_key = i.key
    LEFT JOIN answered_keys n ON n.actor_id = i.actor AND n.idempotency_key = i.key
    WINDOW own AS (PARTITION BY c.id ORDER BY i.idx), staff AS (PARTITION BY i.actor)
  ), judged AS MATERIALIZED (
    SELECT *, bool_and(
      fine AND held + moved >= 0 AND (signed < 0 OR held + moved <= max_balance)
      AND (signed > 0 OR used_before + redeemed <= redeem_allowance)
    ) OVER (PARTITION BY customer_id) AS go FROM given
  ), ins AS (
    INSERT INTO movements (id, customer_id, merchant_id, branch_id, actor_type, actor_id, type, points, paid_points,
      bonus_points, balance_after, bonus_after, rate, balance_rate, seq, idempotency_key, request_hash, tender, sale_ref,
      proof, actor_name, branch_name, tx, occurred_at, created_at, till_id, till_period)
    SELECT id, customer_id, merchant_id, branch, 'user', actor, type, signed, signed,
      0, held + moved, bonus, dirhams_per_point, dirhams_per_point, movement_count + nth, key, hash,
      CASE type WHEN 'TOP_UP' THEN coalesce(tender, 'cash') END, sale_ref,
      'none', actor_name, branch_name, posting_tx(), coalesce(occurred, moment), moment,
      till, till_period
    FROM judged WHERE go ORDER BY customer_id, idx
    ON CONFLICT (actor_id, idempotency_key) DO NOTHING
    RETURNING id
  ), told AS (
    INSERT INTO posting_outbox SELECT id FROM ins WHERE NOT quiet
  ), held AS (
    UPDATE customers c SET balance = n.held + n.moved, movement_count = n.movement_count + n.nth,
      last_posted_at = n.moment,
      unproved_on = CASE WHEN n.redeemed > 0 THEN n.today ELSE c.unproved_on END,
      unproved = CASE WHEN n.redeemed > 0 THEN n.used_before + n.redeemed ELSE c.unproved END
    FROM (SELECT DISTINCT ON (customer_id) * FROM judged WHERE go ORDER BY customer_id, idx DESC) n
    WHERE c.id = n.customer_id
  ), counted AS (
    UPDATE worker_days w SET topped_up = w.topped_up + n.added, unproved = w.unproved + n.bare
    FROM (
      SELECT actor, sum(greatest(signed, 0)) AS added, sum(greatest(-signed, 0)) AS bare
      FROM judged WHERE go AND actor_role = 'branch_worker' GROUP BY actor
    ) n WHERE w.user_id = n.actor AND w.day = batch_day
  )
  SELECT array_agg(ROW(
      j.idx, 'posted', NULL, j.held + j.moved, j.id, j.type, j.signed, j.held + j.moved, j.dirhams_per_point,
      j.movement_count + j.nth, j.moment, NULL, NULL, j.customer_id, j.public_id, j.full_name, j.branch, j.branch_name,
      j.actor, j.actor_name, j.moment + j.undo_minutes * interval '1 minute',
      NULL, j.signed, 0, j.bonus, j.dirhams_per_point, CASE j.type WHEN 'TOP_UP' THEN coalesce(j.tender, 'cash') END,
      j.sale_ref, coalesce(j.occurred, j.moment), 'user', j.till, j.till_name
    )::posting_outcome), array_agg(j.idx), bool_or(ins.id IS NULL)
  INTO answers, done, raced
  FROM judged j LEFT JOIN ins ON ins.id = j.id WHERE j.go;
  -- Another transaction took a key between the look and the insert: the balances would not hold. Nothing is posted.
  IF raced THEN
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'a key was posted at the same moment';
  END IF;
  IF done IS NOT NULL THEN RETURN QUERY SELECT * FROM unnest(answers); END IF;
  IF coalesce(cardinality(done), 0) = jsonb_array_length(rows) THEN RETURN; END IF;

  FOR r IN
    SELECT i.* FROM jsonb_populate_recordset(NULL::posting_row, rows) i
    LEFT JOIN movements o ON o.id = coalesce(i.reverses, i.refunds)
    LEFT JOIN customers own ON own.id = i.customer
    LEFT JOIN customers shown ON shown.public_id = i.customer AND own.id IS NULL
    WHERE done IS NULL OR NOT i.idx = ANY (done)
    ORDER BY coalesce(o.customer_id, own.id, shown.id) NULLS LAST, i.idx
  LOOP
    RETURN NEXT post_row(r, quiet, skip);
  END LOOP;
END $$;
