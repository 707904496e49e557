import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Modules } from "@medusajs/framework/utils";
import type { IPaymentModuleService } from "@medusajs/framework/types";
import { createWallet } from "loyalty-wallet-client";
import { createPayments } from "loyalty-wallet-client/payments";

// The runner of Medusa's test utilities expects these names.
Object.assign(globalThis, { describe, test, it: test, beforeAll: before, afterAll: after, beforeEach, afterEach });
const { moduleIntegrationTestRunner } = await import("@medusajs/test-utils");

const { WALLET_URL = "", WALLET_KEY = "", WALLET_CARD = "" } = process.env;
const wallet = createWallet({ url: WALLET_URL, key: WALLET_KEY });
const provider_id = "pp_loyalty_wallet_card";

/** What the card has, in points: all of it, and what is not reserved. */
async function card() {
  const { data } = await wallet.POST("/customers/find", { body: { sCode: WALLET_CARD } });
  return { balance: data?.data.sBalance ?? 0, available: data?.data.iAvailable ?? 0 };
}

moduleIntegrationTestRunner<IPaymentModuleService>({
  moduleName: Modules.PAYMENT,
  // The folder: the runner makes the tables from the models that it finds there.
  resolve: dirname(dirname(fileURLToPath(import.meta.resolve("@medusajs/payment")))),
  moduleOptions: {
    providers: [
      {
        resolve: fileURLToPath(new URL("../src/index.ts", import.meta.url)),
        id: "card",
        options: { url: WALLET_URL, key: WALLET_KEY },
      },
    ],
  },
  testSuite: ({ service }) => {
    /** A session of Medusa for an amount in riyals. */
    async function session(amount: number) {
      const [collection] = await service.createPaymentCollections([{ currency_code: "qar", amount }]);
      return service.createPaymentSession(collection?.id ?? "", {
        provider_id,
        currency_code: "qar",
        amount,
        data: { card: WALLET_CARD },
      });
    }

    async function authorise(id: string) {
      const payment = await service.authorizePaymentSession(id, {});
      assert.ok(payment);
      return payment;
    }

    test("authorise reserves, capture takes, and refunds return parts", async () => {
      const start = await card();
      const { id } = await session(40);
      const payment = await authorise(id);
      assert.deepEqual(await card(), { balance: start.balance, available: start.available - 40 });
      const captured = await service.capturePayment({ payment_id: payment.id });
      assert.ok(captured.captured_at);
      assert.deepEqual(await card(), { balance: start.balance - 40, available: start.available - 40 });
      await service.refundPayment({ payment_id: payment.id, amount: 15 });
      await service.refundPayment({ payment_id: payment.id, amount: 10 });
      assert.equal((await card()).balance, start.balance - 15);
      await assert.rejects(service.refundPayment({ payment_id: payment.id, amount: 16 }));
    });

    test("cancel gives back, and more than the card has is refused with the wallet's words", async () => {
      const start = await card();
      const { id } = await session(30);
      const payment = await authorise(id);
      await service.cancelPayment(payment.id);
      assert.deepEqual(await card(), start);
      const much = await session(start.available + 1);
      await assert.rejects(service.authorizePaymentSession(much.id, {}), /balance/i);
      const parts = await session(10.5);
      await assert.rejects(service.authorizePaymentSession(parts.id, {}), /multiple of 100 dirhams/);
    });

    test("after a session is deleted, a request of it that arrives late reserves nothing", async () => {
      const start = await card();
      const { id } = await session(20);
      await service.deletePaymentSession(id);
      const late = createPayments({ url: WALLET_URL, key: WALLET_KEY }).authorise({
        key: `medusa-authorise-${id}`,
        card: WALLET_CARD,
        dirhams: 2000,
      });
      await assert.rejects(late, { code: "reversed_before_arrival" });
      assert.deepEqual(await card(), start);
    });
  },
});
