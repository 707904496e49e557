-- The schema of commit a60e4c2c, made by `npm run baseline`: types, tables, indexes and keys. Functions, views and triggers
-- have files of their own (prisma/functions, prisma/views, prisma/triggers). The order of the columns is part of the schema.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE TYPE "Role" AS ENUM ('super_admin', 'admin', 'merchant_owner', 'branch_worker');
CREATE TYPE "UserStatus" AS ENUM ('active', 'invited', 'disabled');
CREATE TYPE "MerchantStatus" AS ENUM ('pending', 'approved', 'rejected');
CREATE TYPE "CustomerStatus" AS ENUM ('active', 'blocked', 'frozen', 'erased');
CREATE TYPE "MovementType" AS ENUM ('TOP_UP', 'REDEEM', 'REVERSAL', 'ADJUSTMENT', 'IMPORT', 'REFUND', 'BONUS', 'EXPIRY');
CREATE TYPE "ProofKind" AS ENUM ('none', 'live_code', 'mailed_code');
CREATE TYPE "CodePurpose" AS ENUM ('register', 'card_holder', 'redeem', 'unfreeze', 'erase', 'change_email', 'leave_email', 'staff_email', 'staff_leave');
CREATE TYPE "EmailStatus" AS ENUM ('queued', 'sent', 'failed');
CREATE TYPE "UploadCategory" AS ENUM ('image', 'document');
CREATE TYPE "ActorType" AS ENUM ('user', 'api_key', 'card_holder', 'system');
CREATE TYPE "EmailLane" AS ENUM ('account', 'receipt');
CREATE TYPE "Tender" AS ENUM ('cash', 'card', 'bank', 'online', 'other');
CREATE TYPE "SpendOrder" AS ENUM ('bonus_first', 'paid_first');
CREATE TYPE "CheckState" AS ENUM ('running', 'done');
CREATE TYPE "SecondFactorKind" AS ENUM ('passkey', 'totp');
CREATE TYPE "ChallengeKind" AS ENUM ('sign_in', 'passkey', 'step_up', 'enrol');
CREATE TYPE "PendingOutcome" AS ENUM ('applied', 'cancelled', 'replaced', 'dropped');
CREATE TYPE "PendingKind" AS ENUM ('points', 'allowance', 'unproved');

CREATE TABLE users (
  id uuid DEFAULT uuidv7() NOT NULL,
  role "Role" NOT NULL,
  status "UserStatus" DEFAULT 'active'::"UserStatus" NOT NULL,
  email text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  phone text,
  password_hash text,
  merchant_id uuid,
  branch_id uuid,
  locale text,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  email_proved_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP,
  disabled_at timestamp(6) with time zone,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_lower CHECK (email = lower(email) AND email <> ''::text),
  CONSTRAINT users_role_merchant CHECK ((role = ANY (ARRAY['merchant_owner'::"Role", 'branch_worker'::"Role"])) = (merchant_id IS NOT NULL))
);

CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  handle uuid NOT NULL,
  token_hash text,
  user_agent text,
  address text,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  last_seen_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  expires_at timestamp(6) with time zone NOT NULL,
  revoked_at timestamp(6) with time zone,
  stepped_up_until timestamp(6) with time zone,
  till_id uuid,
  CONSTRAINT sessions_pkey PRIMARY KEY (id)
);

CREATE TABLE password_tokens (
  id uuid DEFAULT uuidv7() NOT NULL,
  user_id uuid NOT NULL,
  token_hash text NOT NULL,
  expires_at timestamp(6) with time zone NOT NULL,
  used_at timestamp(6) with time zone,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT password_tokens_pkey PRIMARY KEY (id)
);

CREATE TABLE merchants (
  id uuid DEFAULT uuidv7() NOT NULL,
  business_name text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text NOT NULL,
  phone text NOT NULL,
  image_key text,
  status "MerchantStatus" DEFAULT 'pending'::"MerchantStatus" NOT NULL,
  status_reason text,
  decided_at timestamp(6) with time zone,
  decided_by_id uuid,
  redeem_allowance integer DEFAULT 50 NOT NULL,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  spend_order "SpendOrder" DEFAULT 'bonus_first'::"SpendOrder" NOT NULL,
  refund_days integer DEFAULT 0 NOT NULL,
  suspended_at timestamp(6) with time zone,
  suspension_reason text,
  till_required boolean DEFAULT false NOT NULL,
  idle_lock_minutes integer DEFAULT 3 NOT NULL,
  offline_max_top_up integer DEFAULT 200 NOT NULL,
  offline_max_total integer DEFAULT 2000 NOT NULL,
  drawer_tolerance integer DEFAULT 500 NOT NULL,
  unproved_worker_daily integer DEFAULT 500 NOT NULL,
  tenders "Tender"[] DEFAULT ARRAY['cash'::"Tender", 'card'::"Tender", 'bank'::"Tender", 'online'::"Tender", 'other'::"Tender"] NOT NULL,
  ask_sale_ref boolean DEFAULT true NOT NULL,
  public_id uuid DEFAULT gen_random_uuid() NOT NULL,
  worker_daily_cap integer,
  profile_version integer DEFAULT 0 NOT NULL,
  poster_at timestamp(6) with time zone,
  paper_width integer DEFAULT 80 NOT NULL,
  applications integer DEFAULT 1 NOT NULL,
  applied_again_at timestamp(6) with time zone,
  application_note text,
  previous_reason text,
  business_name_ar text,
  logo_key text,
  colour text,
  CONSTRAINT merchants_pkey PRIMARY KEY (id),
  CONSTRAINT merchants_email_lower CHECK (email = lower(email) AND email <> ''::text),
  CONSTRAINT merchants_redeem_allowance CHECK (redeem_allowance >= 0 AND redeem_allowance <= 1000000000),
  CONSTRAINT merchants_refund_days CHECK (refund_days >= 0 AND refund_days <= 3650),
  CONSTRAINT merchants_suspension CHECK (suspended_at IS NOT NULL OR suspension_reason IS NULL),
  CONSTRAINT merchants_settings_check CHECK (refund_days >= 0 AND refund_days <= 365 AND idle_lock_minutes >= 0 AND idle_lock_minutes <= 120 AND offline_max_top_up >= 0 AND offline_max_total >= 0 AND drawer_tolerance >= 0 AND unproved_worker_daily >= 0 AND cardinality(tenders) >= 1 AND cardinality(tenders) <= 5),
  CONSTRAINT merchants_worker_daily_cap CHECK (worker_daily_cap >= 1 AND worker_daily_cap <= 1000000000),
  CONSTRAINT merchants_paper_width CHECK (paper_width = ANY (ARRAY[58, 80])),
  CONSTRAINT merchants_colour_check CHECK (colour ~ '^#[0-9a-f]{6}$'::text)
);

CREATE TABLE branches (
  id uuid DEFAULT uuidv7() NOT NULL,
  merchant_id uuid NOT NULL,
  name text NOT NULL,
  city text NOT NULL,
  archived_at timestamp(6) with time zone,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT branches_pkey PRIMARY KEY (id),
  CONSTRAINT branches_name CHECK (btrim(name) <> ''::text)
);

CREATE TABLE customers (
  id uuid NOT NULL,
  public_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  full_name text NOT NULL,
  email text,
  phone text,
  date_of_birth date,
  locale text DEFAULT 'en'::text NOT NULL,
  status "CustomerStatus" DEFAULT 'active'::"CustomerStatus" NOT NULL,
  balance integer DEFAULT 0 NOT NULL,
  movement_count integer DEFAULT 0 NOT NULL,
  consent_at timestamp(6) with time zone,
  registered_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  erased_at timestamp(6) with time zone,
  bonus integer DEFAULT 0 NOT NULL,
  last_posted_at timestamp(6) with time zone,
  unproved_on date,
  unproved integer DEFAULT 0 NOT NULL,
  held_by_staff boolean DEFAULT false NOT NULL,
  search_text text DEFAULT ''::text CONSTRAINT customers_search_folded_not_null NOT NULL,
  CONSTRAINT customers_pkey PRIMARY KEY (id),
  CONSTRAINT customers_email_lower CHECK (email = lower(email) AND email <> ''::text),
  CONSTRAINT customers_balance CHECK (balance >= 0),
  CONSTRAINT customers_movement_count CHECK (movement_count >= 0),
  CONSTRAINT customers_erased CHECK ((status = 'erased'::"CustomerStatus") = (erased_at IS NOT NULL) AND (status <> 'erased'::"CustomerStatus" OR email IS NULL AND phone IS NULL AND date_of_birth IS NULL)),
  CONSTRAINT customers_bonus CHECK (bonus >= 0 AND bonus <= balance)
) WITH (fillfactor=70);

CREATE TABLE movements (
  id uuid DEFAULT uuidv7() NOT NULL,
  customer_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  branch_id uuid,
  actor_id uuid,
  type "MovementType" NOT NULL,
  points integer NOT NULL,
  balance_after integer NOT NULL,
  rate integer NOT NULL,
  seq integer NOT NULL,
  idempotency_key text NOT NULL,
  request_hash text NOT NULL,
  reverses_id uuid,
  reason text,
  proof "ProofKind" DEFAULT 'none'::"ProofKind" NOT NULL,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  actor_type "ActorType" NOT NULL,
  api_key_id uuid,
  tender "Tender",
  sale_ref text,
  occurred_at timestamp(6) with time zone NOT NULL,
  paid_points integer NOT NULL,
  bonus_points integer DEFAULT 0 NOT NULL,
  bonus_after integer DEFAULT 0 NOT NULL,
  refunds_id uuid,
  reverses_type "MovementType",
  balance_rate integer NOT NULL,
  proof_ref text,
  actor_name text,
  branch_name text,
  text_hash bytea,
  tx bigint DEFAULT posting_tx() NOT NULL,
  till_id uuid,
  till_period integer,
  CONSTRAINT movements_pkey PRIMARY KEY (id),
  CONSTRAINT movements_balance_after CHECK (balance_after >= 0),
  CONSTRAINT movements_rate CHECK (rate > 0),
  CONSTRAINT movements_seq CHECK (seq > 0),
  CONSTRAINT movements_key CHECK (length(idempotency_key) >= 1 AND length(idempotency_key) <= 200),
  CONSTRAINT movements_proof CHECK (proof = 'none'::"ProofKind" OR type = 'REDEEM'::"MovementType"),
  CONSTRAINT movements_actor CHECK (
CASE actor_type
    WHEN 'user'::"ActorType" THEN actor_id IS NOT NULL AND branch_id IS NOT NULL AND api_key_id IS NULL
    WHEN 'api_key'::"ActorType" THEN api_key_id IS NOT NULL AND branch_id IS NOT NULL AND actor_id IS NULL
    WHEN 'card_holder'::"ActorType" THEN actor_id IS NULL AND api_key_id IS NULL AND branch_id IS NULL
    WHEN 'system'::"ActorType" THEN actor_id IS NULL AND api_key_id IS NULL
    ELSE false
END),
  CONSTRAINT movements_sign CHECK (
CASE
    WHEN type = ANY (ARRAY['TOP_UP'::"MovementType", 'IMPORT'::"MovementType", 'BONUS'::"MovementType", 'REFUND'::"MovementType"]) THEN points > 0
    WHEN type = ANY (ARRAY['REDEEM'::"MovementType", 'EXPIRY'::"MovementType"]) THEN points < 0
    ELSE points <> 0
END),
  CONSTRAINT movements_pockets CHECK ((paid_points + bonus_points) = points AND (paid_points >= 0 AND bonus_points >= 0 OR paid_points <= 0 AND bonus_points <= 0) AND
CASE
    WHEN type = ANY (ARRAY['TOP_UP'::"MovementType", 'IMPORT'::"MovementType"]) THEN bonus_points = 0
    WHEN type = ANY (ARRAY['BONUS'::"MovementType", 'EXPIRY'::"MovementType"]) THEN paid_points = 0
    ELSE true
END),
  CONSTRAINT movements_bonus_after CHECK (bonus_after >= 0 AND bonus_after <= balance_after),
  CONSTRAINT movements_tender CHECK ((type = 'TOP_UP'::"MovementType") = (tender IS NOT NULL)),
  CONSTRAINT movements_sale_ref CHECK (sale_ref IS NULL OR length(sale_ref) >= 1 AND length(sale_ref) <= 64 AND sale_ref !~ '[[:cntrl:]]'::text AND (type = ANY (ARRAY['TOP_UP'::"MovementType", 'REDEEM'::"MovementType", 'REFUND'::"MovementType"]))),
  CONSTRAINT movements_reverses CHECK ((type = 'REVERSAL'::"MovementType") = (reverses_id IS NOT NULL) AND (type = 'REVERSAL'::"MovementType") = (reverses_type IS NOT NULL)),
  CONSTRAINT movements_refunds CHECK ((type = 'REFUND'::"MovementType") = (refunds_id IS NOT NULL)),
  CONSTRAINT movements_proof_ref CHECK (proof_ref IS NULL OR proof <> 'none'::"ProofKind"),
  CONSTRAINT movements_till CHECK ((till_id IS NULL) = (till_period IS NULL))
);

CREATE TABLE proof_uses (
  customer_id uuid NOT NULL,
  reference text NOT NULL,
  used_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT proof_uses_pkey PRIMARY KEY (customer_id, reference)
);

CREATE TABLE points_configs (
  id uuid DEFAULT uuidv7() NOT NULL,
  merchant_id uuid,
  version integer NOT NULL,
  dirhams_per_point integer NOT NULL,
  min_top_up integer NOT NULL,
  max_top_up integer NOT NULL,
  max_balance integer NOT NULL,
  undo_minutes integer NOT NULL,
  worker_daily_cap integer,
  withdrawn boolean DEFAULT false NOT NULL,
  changed_by_id uuid,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT points_configs_pkey PRIMARY KEY (id),
  CONSTRAINT points_configs_bounds CHECK (version > 0 AND dirhams_per_point >= 1 AND dirhams_per_point <= 100000 AND min_top_up >= 1 AND max_top_up >= min_top_up AND max_balance >= max_top_up AND max_balance <= 1000000000 AND undo_minutes >= 0 AND undo_minutes <= 1440 AND (worker_daily_cap IS NULL OR worker_daily_cap >= 1 AND worker_daily_cap <= 1000000000) AND (NOT withdrawn OR merchant_id IS NOT NULL))
);

CREATE TABLE daily_sums (
  day date NOT NULL,
  merchant_id uuid NOT NULL,
  branch_id uuid,
  type "MovementType" NOT NULL,
  movements integer NOT NULL,
  points bigint NOT NULL,
  id uuid DEFAULT uuidv7() NOT NULL,
  dirhams bigint DEFAULT 0 NOT NULL,
  cash bigint DEFAULT 0 NOT NULL,
  CONSTRAINT daily_sums_pkey PRIMARY KEY (id)
);

CREATE TABLE codes (
  id uuid DEFAULT uuidv7() NOT NULL,
  purpose "CodePurpose" NOT NULL,
  email text NOT NULL,
  customer_id uuid,
  code_hash text NOT NULL,
  wrong integer DEFAULT 0 NOT NULL,
  address text,
  expires_at timestamp(6) with time zone NOT NULL,
  used_at timestamp(6) with time zone,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  points integer,
  device_id text,
  CONSTRAINT codes_pkey PRIMARY KEY (id),
  CONSTRAINT codes_email_lower CHECK (email = lower(email)),
  CONSTRAINT codes_wrong CHECK (wrong >= 0)
);

CREATE TABLE verifications (
  id uuid DEFAULT uuidv7() NOT NULL,
  purpose "CodePurpose" NOT NULL,
  email text NOT NULL,
  token_hash text NOT NULL,
  address text,
  expires_at timestamp(6) with time zone NOT NULL,
  used_at timestamp(6) with time zone,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT verifications_pkey PRIMARY KEY (id)
);

CREATE TABLE card_devices (
  id uuid DEFAULT uuidv7() NOT NULL,
  customer_id uuid NOT NULL,
  token_hash text NOT NULL,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT card_devices_pkey PRIMARY KEY (id)
);

CREATE TABLE emails (
  id uuid DEFAULT uuidv7() NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  html text NOT NULL,
  locale text NOT NULL,
  status "EmailStatus" DEFAULT 'queued'::"EmailStatus" NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  last_error text,
  next_try_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  sent_at timestamp(6) with time zone,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  lane "EmailLane" DEFAULT 'account'::"EmailLane" NOT NULL,
  customer_id uuid,
  claimed_by uuid,
  expires_at timestamp(6) with time zone,
  traceparent text,
  batch uuid,
  CONSTRAINT emails_pkey PRIMARY KEY (id)
);

CREATE TABLE uploads (
  id uuid DEFAULT uuidv7() NOT NULL,
  key text NOT NULL,
  file_name text NOT NULL,
  content_type text NOT NULL,
  category "UploadCategory" NOT NULL,
  size integer,
  address text,
  uploader_id uuid,
  merchant_id uuid,
  attached_at timestamp(6) with time zone,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  colour text,
  CONSTRAINT uploads_pkey PRIMARY KEY (id),
  CONSTRAINT uploads_colour_check CHECK (colour ~ '^#[0-9a-f]{6}$'::text)
);

CREATE TABLE audits (
  id uuid DEFAULT uuidv7() NOT NULL,
  actor_id uuid,
  merchant_id uuid,
  action text NOT NULL,
  entity text NOT NULL,
  entity_id text,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  actor_type "ActorType",
  api_key_id uuid,
  customer_id uuid,
  job text,
  kind text GENERATED ALWAYS AS (split_part(action, '.'::text, 1)) STORED NOT NULL,
  details_hash bytea,
  place_hash bytea,
  once uuid,
  tx bigint DEFAULT posting_tx() NOT NULL,
  CONSTRAINT audits_pkey PRIMARY KEY (id),
  CONSTRAINT audits_actor CHECK (
CASE actor_type
    WHEN 'user'::"ActorType" THEN actor_id IS NOT NULL AND num_nonnulls(api_key_id, customer_id, job) = 0
    WHEN 'api_key'::"ActorType" THEN api_key_id IS NOT NULL AND num_nonnulls(actor_id, customer_id, job) = 0
    WHEN 'card_holder'::"ActorType" THEN customer_id IS NOT NULL AND num_nonnulls(actor_id, api_key_id, job) = 0
    WHEN 'system'::"ActorType" THEN job IS NOT NULL AND num_nonnulls(actor_id, api_key_id, customer_id) = 0
    ELSE num_nonnulls(actor_id, api_key_id, customer_id, job) = 0
END)
);

CREATE TABLE passes (
  customer_id uuid NOT NULL,
  serial uuid NOT NULL,
  auth_token text NOT NULL,
  google_saved boolean DEFAULT false NOT NULL,
  voided_at timestamp(6) with time zone,
  changed_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT passes_pkey PRIMARY KEY (customer_id)
);

CREATE TABLE pass_registrations (
  device_id text NOT NULL,
  serial uuid NOT NULL,
  push_token text NOT NULL,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT pass_registrations_pkey PRIMARY KEY (device_id, serial)
);

CREATE TABLE rate_limits (
  key text NOT NULL,
  points integer DEFAULT 0 NOT NULL,
  expire timestamp(6) with time zone,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (key)
);

CREATE TABLE merchant_days (
  merchant_id uuid NOT NULL,
  day date NOT NULL,
  customers integer NOT NULL,
  points bigint NOT NULL,
  CONSTRAINT merchant_days_pkey PRIMARY KEY (merchant_id, day)
);

CREATE TABLE background_workers (
  id uuid NOT NULL,
  job_pool text,
  seen_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT background_workers_pkey PRIMARY KEY (id)
);

CREATE TABLE movement_texts (
  movement_id uuid NOT NULL,
  salt bytea NOT NULL,
  reason text NOT NULL,
  CONSTRAINT movement_texts_pkey PRIMARY KEY (movement_id)
);

CREATE TABLE lots (
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  points integer NOT NULL,
  remaining integer NOT NULL,
  ends_at timestamp(6) with time zone,
  granted_ends_at timestamp(6) with time zone,
  extended boolean DEFAULT false NOT NULL,
  CONSTRAINT lots_pkey PRIMARY KEY (id),
  CONSTRAINT lots_points CHECK (points > 0 AND remaining >= 0 AND remaining <= points),
  CONSTRAINT lots_ends CHECK ((ends_at IS NULL) = (granted_ends_at IS NULL) AND (extended OR NOT ends_at IS DISTINCT FROM granted_ends_at))
);

CREATE TABLE lot_moves (
  movement_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  points integer NOT NULL,
  extended_to timestamp(6) with time zone,
  CONSTRAINT lot_moves_pkey PRIMARY KEY (movement_id, lot_id),
  CONSTRAINT lot_moves_points CHECK (points <> 0)
);

CREATE TABLE posting_outbox (
  movement_id uuid NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_try_at timestamp(6) with time zone,
  traceparent text DEFAULT current_setting('wallet.traceparent'::text, true),
  CONSTRAINT posting_outbox_pkey PRIMARY KEY (movement_id)
);

CREATE TABLE answered_keys (
  actor_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  request_hash text NOT NULL,
  movement_id uuid NOT NULL,
  answered_at timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
  CONSTRAINT answered_keys_pkey PRIMARY KEY (actor_id, idempotency_key)
);

CREATE TABLE seals (
  merchant_id uuid NOT NULL,
  n integer NOT NULL,
  from_tx bigint NOT NULL,
  to_tx bigint NOT NULL,
  movements integer NOT NULL,
  total bigint NOT NULL,
  head bytea NOT NULL,
  sealed_at timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
  marks bytea NOT NULL,
  config_version integer,
  platform_version integer,
  CONSTRAINT seals_pkey PRIMARY KEY (merchant_id, n),
  CONSTRAINT seals_span CHECK (n > 0 AND to_tx > from_tx AND movements > 0 AND total >= movements),
  CONSTRAINT seals_head CHECK (octet_length(head) = 32),
  CONSTRAINT seals_marks CHECK (octet_length(marks) = (4 * movements)),
  CONSTRAINT seals_versions CHECK ((config_version IS NULL) = (platform_version IS NULL))
);

CREATE TABLE ledger_progress (
  what text NOT NULL,
  to_tx bigint DEFAULT 0 NOT NULL,
  CONSTRAINT ledger_progress_pkey PRIMARY KEY (what),
  CONSTRAINT ledger_progress_what CHECK (what = ANY (ARRAY['seals'::text, 'sums'::text, 'audits'::text]))
);

CREATE TABLE seal_mails (
  merchant_id uuid NOT NULL,
  day date NOT NULL,
  n integer NOT NULL,
  CONSTRAINT seal_mails_pkey PRIMARY KEY (merchant_id, day)
);

CREATE TABLE pocket_days (
  merchant_id uuid NOT NULL,
  type "MovementType" NOT NULL,
  day date NOT NULL,
  movements bigint NOT NULL,
  paid bigint NOT NULL,
  bonus bigint NOT NULL,
  paid_value bigint NOT NULL,
  bonus_value bigint NOT NULL,
  CONSTRAINT pocket_days_pkey PRIMARY KEY (merchant_id, type, day)
);

CREATE TABLE ledger_checks (
  id uuid DEFAULT uuidv7() NOT NULL,
  merchant_id uuid NOT NULL,
  state "CheckState" DEFAULT 'running'::"CheckState" NOT NULL,
  ok boolean,
  total bigint DEFAULT 0 NOT NULL,
  movements bigint DEFAULT 0 NOT NULL,
  sealed_to timestamp(6) with time zone,
  head bytea,
  first_wrong jsonb,
  requested_by_id uuid,
  started_at timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
  alive_at timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
  finished_at timestamp(6) with time zone,
  CONSTRAINT ledger_checks_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_checks_state CHECK ((state = 'done'::"CheckState") = (finished_at IS NOT NULL))
);

CREATE TABLE platform_settings (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  single boolean DEFAULT true NOT NULL,
  redeem_allowance_ceiling integer DEFAULT 200 NOT NULL,
  updated_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT platform_settings_pkey PRIMARY KEY (id),
  CONSTRAINT platform_settings_single CHECK (single),
  CONSTRAINT platform_settings_ceiling CHECK (redeem_allowance_ceiling >= 0 AND redeem_allowance_ceiling <= 1000000000)
);

CREATE TABLE staff_contacts (
  id uuid DEFAULT uuidv7() NOT NULL,
  merchant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  salt bytea NOT NULL,
  hash bytea NOT NULL,
  replaced_at timestamp(6) with time zone DEFAULT now() NOT NULL,
  customer_id uuid,
  CONSTRAINT staff_contacts_pkey PRIMARY KEY (id),
  CONSTRAINT staff_contacts_kind CHECK (kind = ANY (ARRAY['email'::text, 'phone'::text]))
);

CREATE TABLE worker_days (
  user_id uuid NOT NULL,
  day date NOT NULL,
  topped_up integer DEFAULT 0 NOT NULL,
  unproved integer DEFAULT 0 NOT NULL,
  CONSTRAINT worker_days_pkey PRIMARY KEY (user_id, day)
) WITH (fillfactor=50);

CREATE TABLE freeze_uses (
  token_hash text NOT NULL,
  customer_id uuid NOT NULL,
  expires_at timestamp(6) with time zone NOT NULL,
  used_at timestamp(6) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT freeze_uses_pkey PRIMARY KEY (token_hash)
);

CREATE TABLE config_seals (
  config_id uuid NOT NULL,
  merchant_id uuid,
  version integer NOT NULL,
  head bytea NOT NULL,
  CONSTRAINT config_seals_pkey PRIMARY KEY (config_id),
  CONSTRAINT config_seals_head CHECK (octet_length(head) = 32)
);

CREATE TABLE audit_texts (
  audit_id uuid NOT NULL,
  part text NOT NULL,
  salt bytea NOT NULL,
  content jsonb NOT NULL,
  CONSTRAINT audit_texts_pkey PRIMARY KEY (audit_id, part),
  CONSTRAINT audit_texts_part CHECK (part = ANY (ARRAY['details'::text, 'place'::text])),
  CONSTRAINT audit_texts_salt CHECK (octet_length(salt) = 16)
);

CREATE TABLE audit_seals (
  n integer NOT NULL,
  from_tx bigint NOT NULL,
  to_tx bigint NOT NULL,
  entries integer NOT NULL,
  total bigint NOT NULL,
  head bytea NOT NULL,
  marks bytea NOT NULL,
  sealed_at timestamp(6) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT audit_seals_pkey PRIMARY KEY (n),
  CONSTRAINT audit_seals_span CHECK (n > 0 AND to_tx > from_tx AND entries > 0 AND total >= entries),
  CONSTRAINT audit_seals_head CHECK (octet_length(head) = 32),
  CONSTRAINT audit_seals_marks CHECK (octet_length(marks) = (4 * entries))
);

CREATE TABLE audit_cuts (
  n integer NOT NULL,
  to_tx bigint NOT NULL,
  total bigint NOT NULL,
  head bytea NOT NULL,
  sealed_at timestamp(6) with time zone NOT NULL,
  cut_at timestamp(6) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT audit_cuts_pkey PRIMARY KEY (n)
);

CREATE TABLE second_factors (
  id uuid DEFAULT uuidv7() NOT NULL,
  user_id uuid NOT NULL,
  kind "SecondFactorKind" NOT NULL,
  name text NOT NULL,
  secret text,
  last_step integer,
  credential_id text,
  public_key bytea,
  counter bigint DEFAULT 0 NOT NULL,
  transports text[],
  confirmed_at timestamp(6) with time zone,
  last_used_at timestamp(6) with time zone,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT second_factors_pkey PRIMARY KEY (id),
  CONSTRAINT second_factors_kind_check CHECK (
CASE kind
    WHEN 'totp'::"SecondFactorKind" THEN secret IS NOT NULL AND credential_id IS NULL AND public_key IS NULL
    WHEN 'passkey'::"SecondFactorKind" THEN secret IS NULL AND credential_id IS NOT NULL AND public_key IS NOT NULL AND confirmed_at IS NOT NULL
    ELSE NULL::boolean
END)
);

CREATE TABLE recovery_codes (
  id uuid DEFAULT uuidv7() NOT NULL,
  user_id uuid NOT NULL,
  code_hash text NOT NULL,
  used_at timestamp(6) with time zone,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (id)
);

CREATE TABLE auth_challenges (
  id uuid DEFAULT uuidv7() NOT NULL,
  kind "ChallengeKind" NOT NULL,
  secret_hash text NOT NULL,
  user_id uuid,
  session_id uuid,
  expires_at timestamp(6) with time zone NOT NULL,
  used_at timestamp(6) with time zone,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT auth_challenges_pkey PRIMARY KEY (id)
);

CREATE TABLE user_devices (
  user_id uuid NOT NULL,
  device_hash text NOT NULL,
  last_seen_at timestamp(6) with time zone NOT NULL,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT user_devices_pkey PRIMARY KEY (user_id, device_hash)
);

CREATE TABLE card_emails (
  id uuid DEFAULT uuidv7() NOT NULL,
  customer_id uuid NOT NULL,
  email text NOT NULL,
  from_at timestamp(6) with time zone NOT NULL,
  to_at timestamp(6) with time zone,
  CONSTRAINT card_emails_pkey PRIMARY KEY (id)
);

CREATE TABLE email_changes (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  customer_id uuid NOT NULL,
  old_email text NOT NULL,
  new_email text NOT NULL,
  kind text NOT NULL,
  device_id uuid,
  reason text,
  due_at timestamp(6) with time zone NOT NULL,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT email_changes_pkey PRIMARY KEY (id),
  CONSTRAINT email_changes_kind CHECK (kind = ANY (ARRAY['holder'::text, 'restore'::text, 'staff'::text])),
  CONSTRAINT email_changes_differs CHECK (new_email <> old_email)
);

CREATE TABLE profile_changes (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  merchant_id uuid NOT NULL,
  business_name text,
  new_image boolean NOT NULL,
  image_key text,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  new_name_ar boolean DEFAULT false NOT NULL,
  business_name_ar text,
  new_logo boolean DEFAULT false NOT NULL,
  logo_key text,
  new_colour boolean DEFAULT false NOT NULL,
  colour text,
  CONSTRAINT profile_changes_pkey PRIMARY KEY (id),
  CONSTRAINT profile_changes_image CHECK (new_image OR image_key IS NULL),
  CONSTRAINT profile_changes_name_ar CHECK (new_name_ar OR business_name_ar IS NULL),
  CONSTRAINT profile_changes_logo CHECK (new_logo OR logo_key IS NULL),
  CONSTRAINT profile_changes_colour CHECK ((new_colour OR colour IS NULL) AND colour ~ '^#[0-9a-f]{6}$'::text),
  CONSTRAINT profile_changes_something CHECK (business_name IS NOT NULL OR new_image OR new_name_ar OR new_logo OR new_colour)
);

CREATE TABLE pending_changes (
  id uuid DEFAULT uuidv7() NOT NULL,
  merchant_id uuid,
  withdrawal boolean DEFAULT false NOT NULL,
  dirhams_per_point integer,
  min_top_up integer,
  max_top_up integer,
  max_balance integer,
  undo_minutes integer,
  before jsonb NOT NULL,
  needs_approval boolean NOT NULL,
  alone boolean NOT NULL,
  mails text[],
  asked_by_id uuid NOT NULL,
  asked_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  effective_at timestamp(6) with time zone NOT NULL,
  approved_by_id uuid,
  approved_at timestamp(6) with time zone,
  closed_at timestamp(6) with time zone,
  outcome "PendingOutcome",
  kind "PendingKind" DEFAULT 'points'::"PendingKind" NOT NULL,
  redeem_allowance integer,
  worker_daily_cap integer,
  unproved_worker_daily integer,
  CONSTRAINT pending_changes_pkey PRIMARY KEY (id),
  CONSTRAINT pending_changes_withdrawal CHECK (NOT withdrawal OR merchant_id IS NOT NULL),
  CONSTRAINT pending_changes_second CHECK (approved_by_id <> asked_by_id),
  CONSTRAINT pending_changes_approved CHECK ((approved_by_id IS NULL) = (approved_at IS NULL)),
  CONSTRAINT pending_changes_closed CHECK ((closed_at IS NULL) = (outcome IS NULL)),
  CONSTRAINT pending_changes_applied CHECK (outcome IS DISTINCT FROM 'applied'::"PendingOutcome" OR closed_at >= effective_at AND (NOT needs_approval OR approved_by_id IS NOT NULL)),
  CONSTRAINT pending_changes_kind CHECK ((kind = 'allowance'::"PendingKind") = (redeem_allowance IS NOT NULL)),
  CONSTRAINT pending_changes_allowance CHECK (kind = 'points'::"PendingKind" OR NOT withdrawal AND NOT needs_approval AND num_nonnulls(dirhams_per_point, min_top_up, max_top_up, max_balance, undo_minutes) = 0),
  CONSTRAINT pending_changes_unproved CHECK ((kind = 'unproved'::"PendingKind") = (unproved_worker_daily IS NOT NULL) AND (kind <> 'unproved'::"PendingKind" OR merchant_id IS NOT NULL)),
  CONSTRAINT pending_changes_cap CHECK (worker_daily_cap IS NULL OR kind = 'points'::"PendingKind" AND worker_daily_cap >= 0 AND worker_daily_cap <= 1000000000)
);

CREATE TABLE card_links (
  token_hash text NOT NULL,
  customer_id uuid NOT NULL,
  email text NOT NULL,
  expires_at timestamp(6) with time zone NOT NULL,
  CONSTRAINT card_links_pkey PRIMARY KEY (token_hash)
);

CREATE TABLE tills (
  id uuid DEFAULT uuidv7() NOT NULL,
  merchant_id uuid NOT NULL,
  branch_id uuid NOT NULL,
  name text NOT NULL,
  public_key jsonb,
  thumbprint text,
  pairing_hash text,
  pairing_expires_at timestamp(6) with time zone,
  paired_at timestamp(6) with time zone,
  retired_at timestamp(6) with time zone,
  pin_tries timestamp(6) with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
  pin_locked_at timestamp(6) with time zone,
  period integer DEFAULT 0 NOT NULL,
  created_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT tills_pkey PRIMARY KEY (id),
  CONSTRAINT tills_paired CHECK ((public_key IS NULL) = (thumbprint IS NULL) AND (public_key IS NULL) = (paired_at IS NULL))
);

CREATE TABLE till_proofs (
  hash text NOT NULL,
  expires_at timestamp(6) with time zone NOT NULL,
  CONSTRAINT till_proofs_pkey PRIMARY KEY (hash)
);

CREATE TABLE worker_pins (
  user_id uuid NOT NULL,
  pin_hash text NOT NULL,
  set_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT worker_pins_pkey PRIMARY KEY (user_id)
);

CREATE TABLE pin_tries (
  till_id uuid NOT NULL,
  user_id uuid NOT NULL,
  tries integer NOT NULL,
  locked_until timestamp(6) with time zone,
  CONSTRAINT pin_tries_pkey PRIMARY KEY (till_id, user_id)
);

CREATE TABLE shifts (
  id uuid DEFAULT uuidv7() NOT NULL,
  merchant_id uuid NOT NULL,
  till_id uuid NOT NULL,
  branch_id uuid NOT NULL,
  period integer NOT NULL,
  opening_cash integer NOT NULL,
  opened_by_id uuid NOT NULL,
  opened_at timestamp(6) with time zone NOT NULL,
  closed_by_id uuid,
  closed_at timestamp(6) with time zone,
  report_number integer,
  difference bigint,
  report jsonb,
  note text,
  CONSTRAINT shifts_pkey PRIMARY KEY (id),
  CONSTRAINT shifts_opening_cash CHECK (opening_cash >= 0),
  CONSTRAINT shifts_closed CHECK (num_nulls(closed_at, closed_by_id, report_number, difference, report) = ANY (ARRAY[0, 5]))
);

CREATE TABLE drawer_moves (
  id uuid DEFAULT uuidv7() NOT NULL,
  shift_id uuid NOT NULL,
  kind text NOT NULL,
  amount integer NOT NULL,
  reason text NOT NULL,
  actor_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  created_at timestamp(6) with time zone NOT NULL,
  CONSTRAINT drawer_moves_pkey PRIMARY KEY (id),
  CONSTRAINT drawer_moves_kind CHECK ((kind = ANY (ARRAY['pay_in'::text, 'pay_out'::text])) AND amount > 0)
);

CREATE TABLE shift_counters (
  merchant_id uuid NOT NULL,
  last integer NOT NULL,
  CONSTRAINT shift_counters_pkey PRIMARY KEY (merchant_id)
);

CREATE TABLE offline_entries (
  id uuid DEFAULT uuidv7() NOT NULL,
  merchant_id uuid NOT NULL,
  till_id uuid NOT NULL,
  n integer NOT NULL,
  key text NOT NULL,
  signature text NOT NULL,
  worker_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  branch_id uuid NOT NULL,
  points integer NOT NULL,
  tender "Tender" NOT NULL,
  sale_ref text,
  occurred_at timestamp(6) with time zone NOT NULL,
  received_at timestamp(6) with time zone NOT NULL,
  synced_by_id uuid NOT NULL,
  code text,
  movement_id uuid,
  resolved_at timestamp(6) with time zone,
  resolved_by_id uuid,
  resolution text,
  reason text,
  former_key text,
  CONSTRAINT offline_entries_pkey PRIMARY KEY (id),
  CONSTRAINT offline_entries_resolved CHECK ((num_nulls(resolved_at, resolved_by_id, resolution, reason) = ANY (ARRAY[0, 4])) AND (resolution IS NULL OR (resolution = ANY (ARRAY['post'::text, 'move'::text, 'write_off'::text]))) AND (movement_id IS NOT NULL OR code IS NOT NULL))
);

CREATE TABLE receipt_prints (
  movement_id uuid NOT NULL,
  prints integer NOT NULL,
  last_key text,
  CONSTRAINT receipt_prints_pkey PRIMARY KEY (movement_id),
  CONSTRAINT receipt_prints_prints CHECK (prints >= 1)
);

CREATE TABLE notices (
  id uuid DEFAULT uuidv7() NOT NULL,
  merchant_id uuid,
  kind text NOT NULL,
  user_id uuid,
  customer_id uuid,
  till_id uuid,
  about_id uuid,
  record_id uuid,
  amount bigint,
  created_at timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
  CONSTRAINT notices_pkey PRIMARY KEY (id)
);

CREATE TABLE notice_views (
  user_id uuid NOT NULL,
  seen_to timestamp(6) with time zone NOT NULL,
  CONSTRAINT notice_views_pkey PRIMARY KEY (user_id)
);

CREATE TABLE till_former_keys (
  thumbprint text NOT NULL,
  till_id uuid NOT NULL,
  public_key jsonb NOT NULL,
  replaced_at timestamp(6) with time zone NOT NULL,
  CONSTRAINT till_former_keys_pkey PRIMARY KEY (thumbprint)
);

CREATE TABLE staff_sums (
  id uuid DEFAULT uuidv7() NOT NULL,
  actor_id uuid,
  day date NOT NULL,
  merchant_id uuid NOT NULL,
  branch_id uuid,
  type "MovementType" NOT NULL,
  movements integer NOT NULL,
  points bigint NOT NULL,
  dirhams bigint NOT NULL,
  undone integer NOT NULL,
  undone_points bigint NOT NULL,
  undone_dirhams bigint NOT NULL,
  tender "Tender",
  CONSTRAINT staff_sums_pkey PRIMARY KEY (id)
);
ALTER TABLE seals ALTER COLUMN marks SET STORAGE EXTERNAL;
ALTER TABLE audit_seals ALTER COLUMN marks SET STORAGE EXTERNAL;

CREATE TYPE posting_outcome AS (
  idx integer,
  outcome text,
  allowed integer,
  balance integer,
  movement_id uuid,
  type "MovementType",
  points integer,
  balance_after integer,
  rate integer,
  seq integer,
  created_at timestamp with time zone,
  reason text,
  reverses_id uuid,
  customer_id uuid,
  public_id uuid,
  full_name text,
  branch_id uuid,
  branch_name text,
  actor_id uuid,
  actor_name text,
  undo_until timestamp with time zone,
  refunds_id uuid,
  paid_points integer,
  bonus_points integer,
  bonus_after integer,
  balance_rate integer,
  tender "Tender",
  sale_ref text,
  occurred_at timestamp with time zone,
  actor_type "ActorType",
  till_id uuid,
  till_name text
);

CREATE TYPE posting_row AS (
  idx integer,
  type "MovementType",
  customer uuid,
  branch uuid,
  actor_type "ActorType",
  actor uuid,
  api_key uuid,
  scope text,
  scope_merchant uuid,
  named_merchant uuid,
  points bigint,
  reverses uuid,
  refunds uuid,
  reason text,
  key text,
  hash text,
  proof text,
  proof_ref text,
  tender "Tender",
  sale_ref text,
  ends_at timestamp with time zone,
  at timestamp with time zone,
  occurred timestamp with time zone,
  till uuid,
  late boolean
);

CREATE TYPE pocket_change AS (
  outcome text,
  allowed integer,
  paid integer,
  bonus integer,
  lots uuid[],
  lot_points integer[],
  lot_ends timestamp with time zone[]
);

CREATE UNIQUE INDEX users_email_key ON users USING btree (email);
CREATE INDEX users_merchant_id_role_created_at_idx ON users USING btree (merchant_id, role, created_at);
CREATE INDEX users_branch_id_idx ON users USING btree (branch_id);
CREATE INDEX users_search ON users USING gin (first_name gin_trgm_ops, last_name gin_trgm_ops, email gin_trgm_ops, phone gin_trgm_ops);
CREATE INDEX users_merchant_by_name ON users USING btree (merchant_id, first_name COLLATE "und-x-icu", last_name COLLATE "und-x-icu", id) WHERE role = 'branch_worker'::"Role";
CREATE UNIQUE INDEX sessions_handle_key ON sessions USING btree (handle);
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions USING btree (token_hash);
CREATE INDEX sessions_user_id_revoked_at_expires_at_idx ON sessions USING btree (user_id, revoked_at, expires_at);
CREATE INDEX sessions_ended_idx ON sessions USING btree (LEAST(expires_at, revoked_at));
CREATE INDEX sessions_till_id_idx ON sessions USING btree (till_id) WHERE till_id IS NOT NULL;
CREATE UNIQUE INDEX password_tokens_token_hash_key ON password_tokens USING btree (token_hash);
CREATE INDEX password_tokens_user_id_idx ON password_tokens USING btree (user_id);
CREATE UNIQUE INDEX merchants_email_key ON merchants USING btree (email);
CREATE INDEX merchants_status_created_at_idx ON merchants USING btree (status, created_at);
CREATE INDEX merchants_decided_by_id_idx ON merchants USING btree (decided_by_id);
CREATE INDEX merchants_created_at_idx ON merchants USING btree (created_at);
CREATE INDEX merchants_search ON merchants USING gin (business_name gin_trgm_ops, first_name gin_trgm_ops, last_name gin_trgm_ops, email gin_trgm_ops, phone gin_trgm_ops);
CREATE INDEX merchants_by_name ON merchants USING btree (business_name COLLATE "und-x-icu", id);
CREATE UNIQUE INDEX merchants_public_id_key ON merchants USING btree (public_id);
CREATE INDEX branches_merchant_id_created_at_idx ON branches USING btree (merchant_id, created_at);
CREATE INDEX branches_created_at_idx ON branches USING btree (created_at);
CREATE UNIQUE INDEX branches_id_merchant_id_key ON branches USING btree (id, merchant_id);
CREATE UNIQUE INDEX branches_open_name_key ON branches USING btree (merchant_id, lower(name)) WHERE archived_at IS NULL;
CREATE INDEX branches_search ON branches USING gin (name gin_trgm_ops, city gin_trgm_ops);
CREATE INDEX branches_by_name ON branches USING btree (name COLLATE "und-x-icu", id);
CREATE INDEX branches_merchant_by_name ON branches USING btree (merchant_id, name COLLATE "und-x-icu", id);
CREATE UNIQUE INDEX customers_public_id_key ON customers USING btree (public_id);
CREATE INDEX customers_merchant_id_registered_at_id_idx ON customers USING btree (merchant_id, registered_at DESC, id DESC);
CREATE INDEX customers_registered_at_id_idx ON customers USING btree (registered_at DESC, id DESC);
CREATE INDEX customers_email_idx ON customers USING btree (email);
CREATE UNIQUE INDEX customers_merchant_id_email_key ON customers USING btree (merchant_id, email);
CREATE UNIQUE INDEX customers_id_merchant_id_key ON customers USING btree (id, merchant_id);
CREATE INDEX customers_by_status ON customers USING btree (status, registered_at DESC, id DESC) WHERE status <> 'active'::"CustomerStatus";
CREATE INDEX customers_merchant_by_status ON customers USING btree (merchant_id, status, registered_at DESC, id DESC) WHERE status <> 'active'::"CustomerStatus";
CREATE INDEX customers_by_name ON customers USING btree (full_name COLLATE "und-x-icu", id);
CREATE INDEX customers_merchant_by_name ON customers USING btree (merchant_id, full_name COLLATE "und-x-icu", id);
CREATE INDEX customers_merchant_id_phone_idx ON customers USING btree (merchant_id, phone);
CREATE INDEX customers_held_by_staff ON customers USING btree (merchant_id) WHERE held_by_staff;
CREATE INDEX customers_merchant_search ON customers USING gin (merchant_id, search_text gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX customers_search ON customers USING gin (search_text gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX movements_merchant_id_created_at_id_idx ON movements USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX movements_branch_id_created_at_id_idx ON movements USING btree (branch_id, created_at DESC, id DESC);
CREATE INDEX movements_actor_id_created_at_id_idx ON movements USING btree (actor_id, created_at DESC, id DESC);
CREATE INDEX movements_created_at_id_idx ON movements USING btree (created_at DESC, id DESC);
CREATE UNIQUE INDEX movements_actor_id_idempotency_key_key ON movements USING btree (actor_id, idempotency_key);
CREATE UNIQUE INDEX movements_customer_id_seq_key ON movements USING btree (customer_id, seq);
CREATE UNIQUE INDEX movements_customer_id_idempotency_key_key ON movements USING btree (customer_id, idempotency_key) WHERE actor_id IS NULL;
CREATE INDEX movements_merchant_rare_types ON movements USING btree (merchant_id, type, created_at DESC, id DESC) WHERE type <> ALL (ARRAY['TOP_UP'::"MovementType", 'REDEEM'::"MovementType"]);
CREATE INDEX movements_rare_types ON movements USING btree (type, created_at DESC, id DESC) WHERE type <> ALL (ARRAY['TOP_UP'::"MovementType", 'REDEEM'::"MovementType"]);
CREATE UNIQUE INDEX movements_reverses_id_key ON movements USING btree (reverses_id) WHERE reverses_id IS NOT NULL;
CREATE INDEX movements_refunds_id ON movements USING btree (refunds_id) WHERE refunds_id IS NOT NULL;
CREATE INDEX movements_tx ON movements USING brin (tx) WITH (autosummarize='on', pages_per_range='32');
CREATE INDEX movements_till_id_till_period_idx ON movements USING btree (till_id, till_period) WHERE till_id IS NOT NULL;
CREATE INDEX movements_merchant_sale_ref ON movements USING btree (merchant_id, lower(sale_ref) text_pattern_ops) WHERE sale_ref IS NOT NULL;
CREATE INDEX proof_uses_used_at_idx ON proof_uses USING btree (used_at);
CREATE INDEX points_configs_changed_by_id_idx ON points_configs USING btree (changed_by_id);
CREATE UNIQUE INDEX points_configs_merchant_id_version_key ON points_configs USING btree (merchant_id, version) NULLS NOT DISTINCT;
CREATE INDEX daily_sums_day_idx ON daily_sums USING btree (day);
CREATE INDEX daily_sums_branch_id_idx ON daily_sums USING btree (branch_id);
CREATE UNIQUE INDEX daily_sums_merchant_id_day_branch_id_type_key ON daily_sums USING btree (merchant_id, day, branch_id, type) NULLS NOT DISTINCT;
CREATE INDEX codes_email_purpose_created_at_idx ON codes USING btree (email, purpose, created_at DESC);
CREATE INDEX codes_customer_id_idx ON codes USING btree (customer_id);
CREATE UNIQUE INDEX verifications_token_hash_key ON verifications USING btree (token_hash);
CREATE INDEX verifications_email_purpose_created_at_idx ON verifications USING btree (email, purpose, created_at DESC);
CREATE UNIQUE INDEX card_devices_token_hash_key ON card_devices USING btree (token_hash);
CREATE INDEX card_devices_customer_id_idx ON card_devices USING btree (customer_id);
CREATE INDEX emails_status_next_try_at_idx ON emails USING btree (status, next_try_at);
CREATE INDEX emails_customer_id_idx ON emails USING btree (customer_id);
CREATE INDEX emails_due ON emails USING btree (lane, next_try_at) WHERE status = 'queued'::"EmailStatus" AND claimed_by IS NULL;
CREATE INDEX emails_claimed ON emails USING btree (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX emails_expires_at_idx ON emails USING btree (expires_at) WHERE status = 'queued'::"EmailStatus" AND expires_at IS NOT NULL;
CREATE UNIQUE INDEX uploads_key_key ON uploads USING btree (key);
CREATE INDEX uploads_attached_at_created_at_idx ON uploads USING btree (attached_at, created_at);
CREATE INDEX uploads_merchant_id_idx ON uploads USING btree (merchant_id);
CREATE INDEX uploads_uploader_id_idx ON uploads USING btree (uploader_id);
CREATE INDEX audits_customer_id_idx ON audits USING btree (customer_id);
CREATE UNIQUE INDEX audits_once_key ON audits USING btree (once);
CREATE INDEX audits_created_at_id_idx ON audits USING btree (created_at DESC, id DESC);
CREATE INDEX audits_merchant_id_created_at_id_idx ON audits USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX audits_actor_id_created_at_id_idx ON audits USING btree (actor_id, created_at DESC, id DESC);
CREATE INDEX audits_kind_created_at_id_idx ON audits USING btree (kind, created_at DESC, id DESC);
CREATE INDEX audits_merchant_id_kind_created_at_id_idx ON audits USING btree (merchant_id, kind, created_at DESC, id DESC);
CREATE INDEX audits_entity_id_created_at_id_idx ON audits USING btree (entity_id, created_at DESC, id DESC);
CREATE INDEX audits_tx_id_idx ON audits USING btree (tx, id);
CREATE UNIQUE INDEX passes_serial_key ON passes USING btree (serial);
CREATE INDEX passes_changed_at_idx ON passes USING btree (changed_at);
CREATE INDEX pass_registrations_serial_idx ON pass_registrations USING btree (serial);
CREATE INDEX pass_registrations_push_token_idx ON pass_registrations USING btree (push_token);
CREATE INDEX rate_limits_expire_idx ON rate_limits USING btree (expire);
CREATE INDEX merchant_days_day_idx ON merchant_days USING btree (day);
CREATE INDEX lots_left ON lots USING btree (customer_id, ends_at, id) WHERE remaining > 0;
CREATE INDEX lots_due ON lots USING btree (ends_at) WHERE remaining > 0;
CREATE INDEX lot_moves_lot_id_idx ON lot_moves USING btree (lot_id);
CREATE UNIQUE INDEX ledger_checks_running ON ledger_checks USING btree (merchant_id) WHERE state = 'running'::"CheckState";
CREATE INDEX ledger_checks_merchant_id_started_at_idx ON ledger_checks USING btree (merchant_id, started_at DESC);
CREATE UNIQUE INDEX platform_settings_single_key ON platform_settings USING btree (single);
CREATE INDEX staff_contacts_user_id_idx ON staff_contacts USING btree (user_id);
CREATE INDEX staff_contacts_merchant_id_idx ON staff_contacts USING btree (merchant_id);
CREATE INDEX staff_contacts_replaced_at_idx ON staff_contacts USING btree (replaced_at);
CREATE INDEX staff_contacts_customer_id_idx ON staff_contacts USING btree (customer_id);
CREATE INDEX worker_days_day_idx ON worker_days USING btree (day);
CREATE INDEX freeze_uses_customer_id_idx ON freeze_uses USING btree (customer_id);
CREATE INDEX freeze_uses_expires_at_idx ON freeze_uses USING btree (expires_at);
CREATE UNIQUE INDEX config_seals_merchant_id_version_key ON config_seals USING btree (merchant_id, version) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX second_factors_credential_id_key ON second_factors USING btree (credential_id);
CREATE INDEX second_factors_user_id_idx ON second_factors USING btree (user_id);
CREATE UNIQUE INDEX second_factors_totp_key ON second_factors USING btree (user_id) WHERE kind = 'totp'::"SecondFactorKind";
CREATE UNIQUE INDEX recovery_codes_code_hash_key ON recovery_codes USING btree (code_hash);
CREATE INDEX recovery_codes_user_id_idx ON recovery_codes USING btree (user_id);
CREATE UNIQUE INDEX auth_challenges_secret_hash_key ON auth_challenges USING btree (secret_hash);
CREATE INDEX auth_challenges_user_id_idx ON auth_challenges USING btree (user_id);
CREATE INDEX auth_challenges_session_id_idx ON auth_challenges USING btree (session_id);
CREATE INDEX auth_challenges_expires_at_idx ON auth_challenges USING btree (expires_at);
CREATE INDEX user_devices_last_seen_at_idx ON user_devices USING btree (last_seen_at);
CREATE INDEX card_emails_customer_id_from_at_idx ON card_emails USING btree (customer_id, from_at);
CREATE UNIQUE INDEX email_changes_customer_id_key ON email_changes USING btree (customer_id);
CREATE INDEX email_changes_due_at_idx ON email_changes USING btree (due_at);
CREATE UNIQUE INDEX profile_changes_merchant_id_key ON profile_changes USING btree (merchant_id);
CREATE INDEX pending_changes_merchant_id_idx ON pending_changes USING btree (merchant_id);
CREATE INDEX pending_changes_asked_by_id_idx ON pending_changes USING btree (asked_by_id);
CREATE INDEX pending_changes_approved_by_id_idx ON pending_changes USING btree (approved_by_id);
CREATE INDEX pending_changes_unmailed_idx ON pending_changes USING btree (id) WHERE mails <> '{}'::text[];
CREATE UNIQUE INDEX pending_changes_open_key ON pending_changes USING btree (kind, merchant_id) NULLS NOT DISTINCT WHERE closed_at IS NULL;
CREATE INDEX card_links_customer_id_idx ON card_links USING btree (customer_id);
CREATE INDEX card_links_expires_at_idx ON card_links USING btree (expires_at);
CREATE UNIQUE INDEX tills_thumbprint_key ON tills USING btree (thumbprint);
CREATE UNIQUE INDEX tills_pairing_hash_key ON tills USING btree (pairing_hash);
CREATE UNIQUE INDEX tills_name ON tills USING btree (merchant_id, lower(name)) WHERE retired_at IS NULL;
CREATE INDEX tills_merchant_id_created_at_idx ON tills USING btree (merchant_id, created_at);
CREATE INDEX tills_branch_id_idx ON tills USING btree (branch_id);
CREATE INDEX till_proofs_expires_at_idx ON till_proofs USING btree (expires_at);
CREATE INDEX pin_tries_user_id_idx ON pin_tries USING btree (user_id);
CREATE UNIQUE INDEX shifts_open ON shifts USING btree (till_id) WHERE closed_at IS NULL;
CREATE UNIQUE INDEX shifts_till_id_period_key ON shifts USING btree (till_id, period);
CREATE UNIQUE INDEX shifts_merchant_id_report_number_key ON shifts USING btree (merchant_id, report_number);
CREATE INDEX shifts_merchant_id_opened_at_id_idx ON shifts USING btree (merchant_id, opened_at DESC, id DESC);
CREATE INDEX shifts_branch_id_idx ON shifts USING btree (branch_id);
CREATE INDEX shifts_opened_by_id_idx ON shifts USING btree (opened_by_id);
CREATE INDEX shifts_closed_by_id_idx ON shifts USING btree (closed_by_id);
CREATE INDEX shifts_merchant_id_closed_at_idx ON shifts USING btree (merchant_id, closed_at);
CREATE INDEX drawer_moves_shift_id_id_idx ON drawer_moves USING btree (shift_id, id);
CREATE UNIQUE INDEX drawer_moves_actor_id_idempotency_key_key ON drawer_moves USING btree (actor_id, idempotency_key);
CREATE UNIQUE INDEX offline_entries_till_id_key_key ON offline_entries USING btree (till_id, key);
CREATE INDEX offline_entries_merchant_id_id_idx ON offline_entries USING btree (merchant_id, id DESC);
CREATE INDEX offline_entries_worker_id_idx ON offline_entries USING btree (worker_id);
CREATE INDEX offline_entries_synced_by_id_idx ON offline_entries USING btree (synced_by_id);
CREATE INDEX offline_entries_resolved_by_id_idx ON offline_entries USING btree (resolved_by_id);
CREATE INDEX offline_entries_movement_id_idx ON offline_entries USING btree (movement_id);
CREATE UNIQUE INDEX offline_entries_till_id_n_key ON offline_entries USING btree (till_id, n) WHERE former_key IS NULL;
CREATE UNIQUE INDEX offline_entries_former_key_n_key ON offline_entries USING btree (former_key, n) WHERE former_key IS NOT NULL;
CREATE INDEX notices_merchant_id_created_at_id_idx ON notices USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX notices_user_id_idx ON notices USING btree (user_id);
CREATE INDEX notices_customer_id_idx ON notices USING btree (customer_id);
CREATE INDEX notices_till_id_idx ON notices USING btree (till_id);
CREATE INDEX notices_about_id_idx ON notices USING btree (about_id);
CREATE INDEX notices_created_at_idx ON notices USING btree (created_at);
CREATE UNIQUE INDEX notices_kind_record_id_key ON notices USING btree (kind, record_id);
CREATE INDEX till_former_keys_till_id_idx ON till_former_keys USING btree (till_id);
CREATE UNIQUE INDEX staff_sums_actor_id_day_merchant_id_branch_id_type_tender_key ON staff_sums USING btree (actor_id, day, merchant_id, branch_id, type, tender) NULLS NOT DISTINCT;
CREATE INDEX staff_sums_tenders ON staff_sums USING btree (merchant_id, tender, day) WHERE tender IS NOT NULL;
CREATE STATISTICS public.movements_belong (dependencies) ON merchant_id, branch_id, actor_id FROM movements;

ALTER TABLE users ADD CONSTRAINT users_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE users ADD CONSTRAINT users_branch_id_fkey
  FOREIGN KEY (branch_id) REFERENCES branches(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE sessions ADD CONSTRAINT sessions_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE sessions ADD CONSTRAINT sessions_till_id_fkey
  FOREIGN KEY (till_id) REFERENCES tills(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE password_tokens ADD CONSTRAINT password_tokens_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE merchants ADD CONSTRAINT merchants_decided_by_id_fkey
  FOREIGN KEY (decided_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE branches ADD CONSTRAINT branches_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE customers ADD CONSTRAINT customers_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE movements ADD CONSTRAINT movements_customer_id_merchant_id_fkey
  FOREIGN KEY (customer_id, merchant_id) REFERENCES customers(id, merchant_id);
ALTER TABLE movements ADD CONSTRAINT movements_reverses_id_fkey
  FOREIGN KEY (reverses_id) REFERENCES movements(id);
ALTER TABLE movements ADD CONSTRAINT movements_refunds_id_fkey
  FOREIGN KEY (refunds_id) REFERENCES movements(id);
ALTER TABLE movements ADD CONSTRAINT movements_till_id_fkey
  FOREIGN KEY (till_id) REFERENCES tills(id) ON DELETE RESTRICT;
ALTER TABLE proof_uses ADD CONSTRAINT proof_uses_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id);
ALTER TABLE points_configs ADD CONSTRAINT points_configs_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id);
ALTER TABLE points_configs ADD CONSTRAINT points_configs_changed_by_id_fkey
  FOREIGN KEY (changed_by_id) REFERENCES users(id);
ALTER TABLE daily_sums ADD CONSTRAINT daily_sums_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id);
ALTER TABLE daily_sums ADD CONSTRAINT daily_sums_branch_id_fkey
  FOREIGN KEY (branch_id) REFERENCES branches(id);
ALTER TABLE codes ADD CONSTRAINT codes_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE card_devices ADD CONSTRAINT card_devices_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE emails ADD CONSTRAINT emails_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE uploads ADD CONSTRAINT uploads_uploader_id_fkey
  FOREIGN KEY (uploader_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE uploads ADD CONSTRAINT uploads_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE audits ADD CONSTRAINT audits_actor_id_fkey
  FOREIGN KEY (actor_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE audits ADD CONSTRAINT audits_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE passes ADD CONSTRAINT passes_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE pass_registrations ADD CONSTRAINT pass_registrations_serial_fkey
  FOREIGN KEY (serial) REFERENCES passes(serial) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE merchant_days ADD CONSTRAINT merchant_days_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id);
ALTER TABLE movement_texts ADD CONSTRAINT movement_texts_movement_id_fkey
  FOREIGN KEY (movement_id) REFERENCES movements(id);
ALTER TABLE lots ADD CONSTRAINT lots_id_fkey
  FOREIGN KEY (id) REFERENCES movements(id);
ALTER TABLE lots ADD CONSTRAINT lots_customer_id_merchant_id_fkey
  FOREIGN KEY (customer_id, merchant_id) REFERENCES customers(id, merchant_id);
ALTER TABLE lot_moves ADD CONSTRAINT lot_moves_movement_id_fkey
  FOREIGN KEY (movement_id) REFERENCES movements(id);
ALTER TABLE lot_moves ADD CONSTRAINT lot_moves_lot_id_fkey
  FOREIGN KEY (lot_id) REFERENCES lots(id);
ALTER TABLE answered_keys ADD CONSTRAINT answered_keys_actor_id_fkey
  FOREIGN KEY (actor_id) REFERENCES users(id);
ALTER TABLE answered_keys ADD CONSTRAINT answered_keys_movement_id_fkey
  FOREIGN KEY (movement_id) REFERENCES movements(id);
ALTER TABLE seals ADD CONSTRAINT seals_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id);
ALTER TABLE seal_mails ADD CONSTRAINT seal_mails_merchant_id_n_fkey
  FOREIGN KEY (merchant_id, n) REFERENCES seals(merchant_id, n);
ALTER TABLE pocket_days ADD CONSTRAINT pocket_days_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id);
ALTER TABLE ledger_checks ADD CONSTRAINT ledger_checks_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id);
ALTER TABLE ledger_checks ADD CONSTRAINT ledger_checks_requested_by_id_fkey
  FOREIGN KEY (requested_by_id) REFERENCES users(id);
ALTER TABLE staff_contacts ADD CONSTRAINT staff_contacts_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id);
ALTER TABLE staff_contacts ADD CONSTRAINT staff_contacts_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE staff_contacts ADD CONSTRAINT staff_contacts_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id);
ALTER TABLE worker_days ADD CONSTRAINT worker_days_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE freeze_uses ADD CONSTRAINT freeze_uses_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id);
ALTER TABLE config_seals ADD CONSTRAINT config_seals_config_id_fkey
  FOREIGN KEY (config_id) REFERENCES points_configs(id);
ALTER TABLE audit_texts ADD CONSTRAINT audit_texts_audit_id_fkey
  FOREIGN KEY (audit_id) REFERENCES audits(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE second_factors ADD CONSTRAINT second_factors_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE auth_challenges ADD CONSTRAINT auth_challenges_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE auth_challenges ADD CONSTRAINT auth_challenges_session_id_fkey
  FOREIGN KEY (session_id) REFERENCES sessions(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE user_devices ADD CONSTRAINT user_devices_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE card_emails ADD CONSTRAINT card_emails_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE email_changes ADD CONSTRAINT email_changes_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE profile_changes ADD CONSTRAINT profile_changes_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE pending_changes ADD CONSTRAINT pending_changes_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE pending_changes ADD CONSTRAINT pending_changes_asked_by_id_fkey
  FOREIGN KEY (asked_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE pending_changes ADD CONSTRAINT pending_changes_approved_by_id_fkey
  FOREIGN KEY (approved_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE card_links ADD CONSTRAINT card_links_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE tills ADD CONSTRAINT tills_branch_id_merchant_id_fkey
  FOREIGN KEY (branch_id, merchant_id) REFERENCES branches(id, merchant_id);
ALTER TABLE worker_pins ADD CONSTRAINT worker_pins_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE pin_tries ADD CONSTRAINT pin_tries_till_id_fkey
  FOREIGN KEY (till_id) REFERENCES tills(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE pin_tries ADD CONSTRAINT pin_tries_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE shifts ADD CONSTRAINT shifts_till_id_fkey
  FOREIGN KEY (till_id) REFERENCES tills(id) ON DELETE RESTRICT;
ALTER TABLE shifts ADD CONSTRAINT shifts_branch_id_merchant_id_fkey
  FOREIGN KEY (branch_id, merchant_id) REFERENCES branches(id, merchant_id);
ALTER TABLE shifts ADD CONSTRAINT shifts_opened_by_id_fkey
  FOREIGN KEY (opened_by_id) REFERENCES users(id) ON DELETE RESTRICT;
ALTER TABLE shifts ADD CONSTRAINT shifts_closed_by_id_fkey
  FOREIGN KEY (closed_by_id) REFERENCES users(id) ON DELETE RESTRICT;
ALTER TABLE drawer_moves ADD CONSTRAINT drawer_moves_shift_id_fkey
  FOREIGN KEY (shift_id) REFERENCES shifts(id) ON DELETE RESTRICT;
ALTER TABLE drawer_moves ADD CONSTRAINT drawer_moves_actor_id_fkey
  FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE RESTRICT;
ALTER TABLE shift_counters ADD CONSTRAINT shift_counters_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON DELETE RESTRICT;
ALTER TABLE offline_entries ADD CONSTRAINT offline_entries_till_id_fkey
  FOREIGN KEY (till_id) REFERENCES tills(id) ON DELETE RESTRICT;
ALTER TABLE offline_entries ADD CONSTRAINT offline_entries_worker_id_fkey
  FOREIGN KEY (worker_id) REFERENCES users(id) ON DELETE RESTRICT;
ALTER TABLE offline_entries ADD CONSTRAINT offline_entries_synced_by_id_fkey
  FOREIGN KEY (synced_by_id) REFERENCES users(id) ON DELETE RESTRICT;
ALTER TABLE offline_entries ADD CONSTRAINT offline_entries_resolved_by_id_fkey
  FOREIGN KEY (resolved_by_id) REFERENCES users(id) ON DELETE RESTRICT;
ALTER TABLE offline_entries ADD CONSTRAINT offline_entries_movement_id_fkey
  FOREIGN KEY (movement_id) REFERENCES movements(id) ON DELETE RESTRICT;
ALTER TABLE offline_entries ADD CONSTRAINT offline_entries_former_key_fkey
  FOREIGN KEY (former_key) REFERENCES till_former_keys(thumbprint) ON DELETE RESTRICT;
ALTER TABLE receipt_prints ADD CONSTRAINT receipt_prints_movement_id_fkey
  FOREIGN KEY (movement_id) REFERENCES movements(id) ON DELETE RESTRICT;
ALTER TABLE notices ADD CONSTRAINT notices_merchant_id_fkey
  FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notices ADD CONSTRAINT notices_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notices ADD CONSTRAINT notices_customer_id_fkey
  FOREIGN KEY (customer_id) REFERENCES customers(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notices ADD CONSTRAINT notices_till_id_fkey
  FOREIGN KEY (till_id) REFERENCES tills(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notices ADD CONSTRAINT notices_about_id_fkey
  FOREIGN KEY (about_id) REFERENCES merchants(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notice_views ADD CONSTRAINT notice_views_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE till_former_keys ADD CONSTRAINT till_former_keys_till_id_fkey
  FOREIGN KEY (till_id) REFERENCES tills(id) ON DELETE RESTRICT;
ALTER TABLE staff_sums ADD CONSTRAINT staff_sums_actor_id_fkey
  FOREIGN KEY (actor_id) REFERENCES users(id);

-- Seed rows ---------------------------------------------------------------------------------------------------------

INSERT INTO ledger_progress (what) VALUES ('seals'), ('sums'), ('audits');
INSERT INTO platform_settings DEFAULT VALUES;
INSERT INTO points_configs (version, dirhams_per_point, min_top_up, max_top_up, max_balance, undo_minutes, worker_daily_cap)
VALUES (1, 100, 1, 5000, 20000, 15, NULL);
-- The first link of the configuration's chain, as the trigger chain_config adds the following ones.
INSERT INTO config_seals (config_id, merchant_id, version, head)
SELECT c.id, c.merchant_id, c.version, sha256(decode(repeat('00', 32), 'hex') || sha256(convert_to(ROW(
    c.id, c.merchant_id, c.version, c.dirhams_per_point, c.min_top_up, c.max_top_up, c.max_balance, c.undo_minutes,
    c.worker_daily_cap, c.withdrawn, c.changed_by_id, extract(epoch FROM c.created_at)
  )::text, 'UTF8')))
FROM points_configs c;
