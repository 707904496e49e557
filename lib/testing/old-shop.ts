import { randomUUID } from "node:crypto";
import type pg from "pg";
import { expect } from "vitest";

/** The reason of what a customer gave up with a deleted card, before card holders were actors. */
export const GIVEN_UP = "Given up by the customer, who deleted the card";

type Post = { type: string; points?: number; reverses?: string; reason?: string; key?: string; at: string };

/** A merchant of before, with an owner, two branches and a way to post to a customer. */
export async function oldShop(client: pg.Client, name: string) {
  const [merchant, owner, branch, other] = Array.from({ length: 4 }, () => randomUUID());
  await client.query(
    `insert into merchants (id, business_name, first_name, last_name, email, phone, status)
     values ($1, $2, 'Noor', 'Al Thani', $3, '+97433000000', 'approved')`,
    [merchant, name, `${name}@shop.test`],
  );
  await client.query(
    `insert into users (id, role, email, first_name, last_name, merchant_id)
     values ($1, 'merchant_owner', $2, 'Noor', 'Al Thani', $3)`,
    [owner, `${name}@owner.test`, merchant],
  );
  await client.query(
    `insert into branches (id, merchant_id, name, city) values ($1, $3, 'Souq', 'Doha'), ($2, $3, 'Pearl', 'Doha')`,
    [branch, other, merchant],
  );
  const customer = async (email: string) => {
    const id = randomUUID();
    await client.query(
      `insert into customers (id, public_id, merchant_id, full_name, email) values ($1, $2, $3, 'Layla', $4)`,
      [id, randomUUID(), merchant, email],
    );
    return id;
  };
  const post = async (to: string, { key = randomUUID(), ...row }: Post, at = branch) => {
    const given = {
      idx: 0,
      customer: to,
      branch: at,
      actor: owner,
      scope: "any",
      key,
      hash: key,
      proof: "none",
    };
    const { rows } = await client.query("select * from post_movements($1::jsonb, true)", [
      JSON.stringify([{ ...given, ...row }]),
    ]);
    expect(rows[0].outcome).toBe("posted");
    return rows[0].movement_id as string;
  };
  return { merchant, owner, branch, other, customer, post };
}

/** The morning of a day of October 2026. */
export const day = (n: number) => `2026-10-${String(n).padStart(2, "0")}T09:00:00Z`;

/** The sums of the days gone by, as the job of before wrote them. */
export const sumDays = (client: pg.Client) =>
  client.query(`insert into daily_sums (day, merchant_id, branch_id, type, movements, points)
    select (created_at at time zone 'Asia/Qatar')::date, merchant_id, branch_id, case when type <> 'REVERSAL' then type
      when points < 0 then 'TOP_UP' else 'REDEEM' end, count(*) filter (where type <> 'REVERSAL'), sum(points)
    from movements group by 1, 2, 3, 4`);
