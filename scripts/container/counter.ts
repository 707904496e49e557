import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { postJson } from "../faults/ask";
import { openShop, type Shop, withDb } from "../faults/load";

/** Top-ups that are on their way when the server is asked to end. */
const IN_FLIGHT = 40;

/** A shop with one worker, and what its counter posts at this server. */
export class TestCounter {
  private readonly acknowledged = new Set<string>();

  private constructor(
    private readonly url: string,
    private readonly ownerUrl: string,
    private readonly shop: Shop,
  ) {}

  static async open(url: string, ownerUrl: string): Promise<TestCounter> {
    return new TestCounter(url, ownerUrl, await openShop(ownerUrl, 1, IN_FLIGHT));
  }

  /** One top-up. Answers its status, or the error's code where the connection was refused or broken. */
  private async topUp(nth: number): Promise<string> {
    const key = randomUUID();
    const customerId = this.shop.customers[nth % this.shop.customers.length];
    const body = { customerId, sPoints: 3, iBranchId: this.shop.branchId };
    const headers = { authorization: this.shop.tokens?.[0] ?? "", "idempotency-key": key };
    try {
      const { status, text } = await postJson(`${this.url}/api/top-up-points`, body, headers);
      if (status === 200) this.acknowledged.add(key);
      return status === 200 ? "200" : `${status} ${text.slice(0, 200)}`;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  }

  /** Fails unless the ledger has what was acknowledged, and nothing else. */
  private async compare(): Promise<void> {
    const keys = await withDb(this.ownerUrl, (db) =>
      db.movement.findMany({
        where: { merchantId: this.shop.merchantId },
        select: { idempotencyKey: true },
        take: 1_000,
      }),
    );
    const found = new Set(keys.map(({ idempotencyKey }) => idempotencyKey));
    assert.deepEqual(
      [...found].sort(),
      [...this.acknowledged].sort(),
      "the ledger has what was acknowledged",
    );
  }

  /** A top-up, which the ledger then has. */
  async serves(): Promise<string> {
    assert.equal(await this.topUp(0), "200");
    await this.compare();
    return "3 points, one movement";
  }

  /** Asks for top-ups, ends the server while they are on their way, and compares. */
  async ends(stop: () => Promise<string>): Promise<string> {
    const answers = Array.from({ length: IN_FLIGHT }, (_, nth) => this.topUp(nth));
    await Promise.race([...answers, pause(10_000)]);
    const ended = await stop();
    const statuses = Map.groupBy(await Promise.all(answers), (status) => status);
    const summary = [...statuses].map(([status, all]) => `${all.length} x ${status}`).join(", ");
    // A request that came too late is refused a connection, and none is left without an answer.
    const wrong = [...statuses.keys()].filter((status) => !/^(200|503|ECONNREFUSED)/.test(status));
    assert.deepEqual(wrong, [], summary);
    await this.compare();
    return `${summary}; ${ended}`;
  }
}
