/** The customers of the bench's merchant, from 0 on: see customerId. */
export const CUSTOMERS = 5_000;
// A worker serves one customer at a time, and their day is one row: as many as never wait for themselves.
const WORKERS = 1_024;

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
export const customerId = (n: number): string => uuid(100_000_000_000 + n);
export const workerId = (n: number): string => uuid(200_000_000_000 + n);
export const BRANCH = uuid(10);

/**
 * SQL that makes a merchant with customers, who have points, and workers without limits. Versions without actors: not
 * new.
 */
export const fill = (isNew: boolean) => `
  INSERT INTO merchants (id, business_name, first_name, last_name, email, phone, status, redeem_allowance)
  VALUES ('00000000-0000-4000-8000-000000000001', 'Bench', 'A', 'B', 'bench@bench.test', '+97430000000', 'approved', 1000000000);
  INSERT INTO points_configs (merchant_id, version, dirhams_per_point, min_top_up, max_top_up, max_balance, undo_minutes)
  VALUES ('00000000-0000-4000-8000-000000000001', 1, 100, 1, 5000, 1000000000, 15);
  INSERT INTO branches (id, merchant_id, name, city)
  SELECT ('00000000-0000-4000-8000-00000000001' || n)::uuid, '00000000-0000-4000-8000-000000000001', 'B' || n, 'Doha' FROM generate_series(0, 3) n;
  INSERT INTO users (id, role, email, first_name, last_name, phone, merchant_id)
  SELECT ('00000000-0000-4000-8000-' || 200000000000 + n)::uuid, 'branch_worker', 'w' || n || '@bench.test', 'W', 'N' || n, '+974' || 30000100 + n,
    '00000000-0000-4000-8000-000000000001' FROM generate_series(0, ${WORKERS - 1}) n;
  INSERT INTO customers (id, public_id, merchant_id, full_name, email, phone)
  SELECT ('00000000-0000-4000-8000-' || (100000000000 + n))::uuid, gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'Customer ' || n, 'c' || n || '@bench.test', '+974' || (40000000 + n)
  FROM generate_series(0, ${CUSTOMERS}) n;
  ${Array.from({ length: 10 }, (_, part) => `SELECT count(*) FROM post_movements((SELECT jsonb_agg(${row("'TOP_UP'", `100000000000 + g * 10 + ${part}`, "1000")}) FROM generate_series(0, ${CUSTOMERS / 10 - 1}) g), true)`).join(";")};
  ${isNew ? `SELECT count(*) FROM post_movements((SELECT jsonb_agg(${row("'BONUS'", "100000000000 + g * 5", "200")}) FROM generate_series(0, ${CUSTOMERS / 5 - 1}) g), true);` : ""}
  ${isNew ? "UPDATE merchants SET unproved_worker_daily = 1000000000;" : ""}
  ANALYZE;`;

/** A row as the application sends it, as SQL: a point up or down for a customer, by one of the workers. */
export function row(type: string, customer: string, points = "1"): string {
  const id = (text: string) => `'00000000-0000-4000-8000-' || ${text}`;
  return `jsonb_build_object('idx', g, 'type', ${type}, 'customer', ${id(`(${customer})`)},
    'branch', ${id("'00000000001' || g % 4")}, 'actor', ${id(`(200000000000 + (pg_backend_pid() * 64 + g) % ${WORKERS})`)}, 'scope', 'merchant',
    'scope_merchant', '00000000-0000-4000-8000-000000000001', 'points', ${points}, 'key', gen_random_uuid(),
    'hash', left(encode(sha256(convert_to(g::text, 'UTF8')), 'base64'), 16), 'proof', 'none')`;
}
