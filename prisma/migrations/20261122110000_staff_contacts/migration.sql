-- Who of the staff holds a card, what a worker did in a day, and what a mailed code is good for.

-- An e-mail or phone that somebody of a merchant's staff had and has replaced: kept for 400 days as a salted hash. The
-- present ones are read from users.
CREATE TABLE "staff_contacts" (
  "id" UUID NOT NULL DEFAULT uuidv7(),
  "merchant_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "salt" BYTEA NOT NULL,
  "hash" BYTEA NOT NULL,
  "replaced_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "staff_contacts_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "staff_contacts_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id"),
  CONSTRAINT "staff_contacts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id"),
  CONSTRAINT "staff_contacts_kind" CHECK ("kind" IN ('email', 'phone'))
);
-- Read by posting and by the triggers below; the last one by the sweep.
CREATE INDEX "staff_contacts_user_id_idx" ON "staff_contacts" ("user_id");
CREATE INDEX "staff_contacts_merchant_id_idx" ON "staff_contacts" ("merchant_id");
CREATE INDEX "staff_contacts_replaced_at_idx" ON "staff_contacts" ("replaced_at");

-- What a worker topped up and refunded, and redeemed without proof, on a day (Asia/Qatar), less what was reversed since.
CREATE TABLE "worker_days" (
  "user_id" UUID NOT NULL,
  "day" DATE NOT NULL,
  "topped_up" INTEGER NOT NULL DEFAULT 0,
  "unproved" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "worker_days_pkey" PRIMARY KEY ("user_id", "day"),
  CONSTRAINT "worker_days_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id")
);
ALTER TABLE "worker_days" SET (fillfactor = 50);
CREATE INDEX "worker_days_day_idx" ON "worker_days" ("day");

-- The links of receipts that have frozen a card.
CREATE TABLE "freeze_uses" (
  "token_hash" TEXT NOT NULL,
  "customer_id" UUID NOT NULL,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  "used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "freeze_uses_pkey" PRIMARY KEY ("token_hash"),
  CONSTRAINT "freeze_uses_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id")
);
CREATE INDEX "freeze_uses_customer_id_idx" ON "freeze_uses" ("customer_id");
CREATE INDEX "freeze_uses_expires_at_idx" ON "freeze_uses" ("expires_at");

-- The points that a code is good for, or less; of redemptions only.
ALTER TABLE "codes" ADD COLUMN "points" INTEGER;
-- A limit for merchants that the platform's rules apply to; null for those from before it, who have none.
ALTER TABLE "merchants"
  ADD COLUMN "worker_daily_cap" INTEGER,
  ADD CONSTRAINT "merchants_worker_daily_cap" CHECK ("worker_daily_cap" BETWEEN 1 AND 1000000000);
ALTER TABLE "customers" ADD COLUMN "held_by_staff" BOOLEAN NOT NULL DEFAULT false;

-- A phone as +974XXXXXXXX or +<digits>, from any way of writing it; a text without a digit stays.
CREATE FUNCTION contact_phone(given text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN n.digits = '' THEN given
    WHEN n.digits ~ '^(00)?974[0-9]{8}$' THEN '+974' || right(n.digits, 8)
    WHEN n.digits ~ '^[0-9]{8}$' THEN '+974' || n.digits
    ELSE '+' || regexp_replace(n.digits, '^00', '')
  END
  FROM (SELECT regexp_replace(translate(given, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '[^0-9]', '', 'g') AS digits) n
$$;

-- Whether a card with these contacts is held by anybody of the merchant's staff: by a present contact, or by one that
-- was replaced.
CREATE FUNCTION is_staff_contact(merchant uuid, own_email text, own_phone text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM users u WHERE u.merchant_id = merchant AND (u.email = own_email OR u.phone = own_phone)
  ) OR EXISTS (
    SELECT 1 FROM staff_contacts s WHERE s.merchant_id = merchant
      AND s.hash = sha256(s.salt || convert_to(CASE s.kind WHEN 'email' THEN own_email ELSE own_phone END, 'UTF8'))
  )
$$;

-- Changes of a merchant's staff exclude changes of its cards' contacts, so that neither misses the other.
CREATE FUNCTION staff_contacts_lock(merchant uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$SELECT hashtextextended('staff contacts ' || merchant::text, 0)$$;

CREATE FUNCTION mark_staff_card() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.phone !~ '^\+[0-9]{8,15}$' THEN NEW.phone := contact_phone(NEW.phone); END IF;
  PERFORM pg_advisory_xact_lock_shared(staff_contacts_lock(NEW.merchant_id));
  NEW.held_by_staff := is_staff_contact(NEW.merchant_id, NEW.email, NEW.phone);
  RETURN NEW;
END $$;
CREATE TRIGGER "customers_contacts" BEFORE INSERT OR UPDATE OF "email", "phone" ON "customers"
  FOR EACH ROW EXECUTE FUNCTION mark_staff_card();

CREATE FUNCTION plain_phone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.phone := contact_phone(NEW.phone);
  RETURN NEW;
END $$;
CREATE TRIGGER "users_phone" BEFORE INSERT OR UPDATE OF "phone" ON "users"
  FOR EACH ROW WHEN (NEW."phone" !~ '^\+[0-9]{8,15}$') EXECUTE FUNCTION plain_phone();

-- Keeps what a member of staff replaces, and marks the cards that carry what is new.
CREATE FUNCTION keep_staff_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.merchant_id, OLD.email, OLD.phone) IS NOT DISTINCT FROM (NEW.merchant_id, NEW.email, NEW.phone) THEN
      RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(staff_contacts_lock(OLD.merchant_id));
    INSERT INTO staff_contacts (merchant_id, user_id, kind, salt, hash, replaced_at)
    SELECT OLD.merchant_id, OLD.id, n.kind, n.salt, sha256(n.salt || convert_to(n.value, 'UTF8')), clock_timestamp()
    FROM (
      SELECT k.kind, k.value, uuid_send(gen_random_uuid()) AS salt
      FROM (VALUES ('email', OLD.email, NEW.email), ('phone', OLD.phone, NEW.phone)) AS k(kind, value, next)
      WHERE k.value IS NOT NULL
        AND (k.value IS DISTINCT FROM k.next OR OLD.merchant_id IS DISTINCT FROM NEW.merchant_id)
    ) n WHERE OLD.merchant_id IS NOT NULL;
  END IF;
  IF NEW.merchant_id IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(staff_contacts_lock(NEW.merchant_id));
    UPDATE customers c SET held_by_staff = true
    WHERE c.merchant_id = NEW.merchant_id AND NOT c.held_by_staff AND (c.email = NEW.email OR c.phone = NEW.phone);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "users_contacts" AFTER INSERT OR UPDATE OF "email", "phone", "merchant_id" ON "users"
  FOR EACH ROW EXECUTE FUNCTION keep_staff_contacts();

-- Forgets contacts 400 days after they were replaced, unmarks the cards that only they marked, and forgets what workers
-- did on days whose limits no longer count.
CREATE FUNCTION age_posting_guards() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  merchant uuid;
BEGIN
  FOR merchant IN
    SELECT DISTINCT s.merchant_id FROM staff_contacts s WHERE s.replaced_at < now() - interval '400 days' ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock(staff_contacts_lock(merchant));
    DELETE FROM staff_contacts s WHERE s.merchant_id = merchant AND s.replaced_at < now() - interval '400 days';
    UPDATE customers c SET held_by_staff = false
    WHERE c.merchant_id = merchant AND c.held_by_staff AND NOT is_staff_contact(merchant, c.email, c.phone);
  END LOOP;
  DELETE FROM worker_days w WHERE w.day < current_date - 3;
END $$;
