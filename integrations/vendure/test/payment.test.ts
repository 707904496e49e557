import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { LanguageCode, mergeConfig } from "@vendure/core";
import { createTestEnvironment, PostgresInitializer, registerInitializer, testConfig } from "@vendure/testing";
import { gql } from "graphql-tag";
import { createWallet } from "loyalty-wallet-client";
import { walletPaymentHandler } from "../src/handler.ts";

const { WALLET_URL = "", WALLET_KEY = "", WALLET_CARD = "" } = process.env;
const { DB_HOST = "", DB_PORT = "", DB_USERNAME = "", DB_PASSWORD = "", SHOP_PORT = "" } = process.env;
const wallet = createWallet({ url: WALLET_URL, key: WALLET_KEY });

/** What the card has, in points: all of it, and what is not reserved. */
async function card() {
  const { data } = await wallet.POST("/customers/find", { body: { sCode: WALLET_CARD } });
  return { balance: data?.data.sBalance ?? 0, available: data?.data.iAvailable ?? 0 };
}

registerInitializer("postgres", new PostgresInitializer());
const { server, adminClient, shopClient } = createTestEnvironment(
  mergeConfig(testConfig, {
    apiOptions: { port: Number(SHOP_PORT) },
    dbConnectionOptions: {
      type: "postgres",
      host: DB_HOST,
      port: Number(DB_PORT),
      username: DB_USERNAME,
      password: DB_PASSWORD,
    },
    paymentOptions: { paymentMethodHandlers: [walletPaymentHandler] },
  }),
);

before(async () => {
  await server.init({
    productsCsvPath: fileURLToPath(new URL("products.csv", import.meta.url)),
    customerCount: 1,
    initialData: {
      defaultLanguage: LanguageCode.en,
      defaultZone: "Asia",
      taxRates: [{ name: "None", percentage: 0 }],
      shippingMethods: [{ name: "Collect", price: 0 }],
      countries: [{ name: "Qatar", code: "QA", zone: "Asia" }],
      collections: [],
      paymentMethods: [
        {
          name: "Card",
          handler: {
            code: walletPaymentHandler.code,
            arguments: [
              { name: "url", value: WALLET_URL },
              { name: "key", value: WALLET_KEY },
              { name: "seconds", value: "900" },
            ],
          },
        },
      ],
    },
  });
  await adminClient.asSuperAdmin();
  await adminClient.query(gql`
    mutation {
      updateChannel(input: { id: "T_1", availableCurrencyCodes: [QAR, USD], defaultCurrencyCode: QAR }) {
        __typename
      }
      updateProductVariants(input: [{ id: "T_1", prices: [{ currencyCode: QAR, price: 4000 }] }]) { id }
    }
  `);
});
after(() => server.destroy());

/** An order of one tea for QAR 40, ready to be paid. */
async function orderOf(quantity = 1) {
  await shopClient.asAnonymousUser();
  // The first answer brings the session's token.
  await shopClient.query(
    gql`mutation Begin($quantity: Int!) { addItemToOrder(productVariantId: "T_1", quantity: $quantity) { __typename } }`,
    { quantity },
  );
  await shopClient.query(gql`
    mutation {
      setCustomerForOrder(input: { firstName: "Noora", lastName: "Al-Kuwari", emailAddress: "noora@customer.test" }) {
        __typename
      }
      setOrderShippingAddress(input: { streetLine1: "1 Street", countryCode: "QA" }) { __typename }
    }
  `);
  const { transitionOrderToState: order } = await shopClient.query(gql`
    mutation {
      setOrderShippingMethod(shippingMethodId: ["T_1"]) { __typename }
      transitionOrderToState(state: "ArrangingPayment") {
        __typename
        ... on Order { state }
        ... on OrderStateTransitionError { transitionError }
      }
    }
  `);
  assert.equal(order.state, "ArrangingPayment", JSON.stringify(order));
}

async function pay() {
  const { addPaymentToOrder } = await shopClient.query(
    gql`
      mutation Pay($metadata: JSON!) {
        addPaymentToOrder(input: { method: "card", metadata: $metadata }) {
          __typename
          ... on Order { id state payments { id state transactionId } lines { id } }
          ... on ErrorResult { errorCode message }
          ... on PaymentDeclinedError { paymentErrorMessage }
        }
      }
    `,
    { metadata: { card: WALLET_CARD } },
  );
  return addPaymentToOrder;
}

test("a payment reserves, settling takes, and refunds return parts", async () => {
  const start = await card();
  await orderOf();
  const order = await pay();
  assert.equal(order.state, "PaymentAuthorized", JSON.stringify(order));
  assert.deepEqual(await card(), { balance: start.balance, available: start.available - 40 });
  const paymentId = order.payments[0].id;
  const { settlePayment } = await adminClient.query(
    gql`mutation Settle($id: ID!) { settlePayment(id: $id) { __typename ... on Payment { state } } }`,
    { id: paymentId },
  );
  assert.equal(settlePayment.state, "Settled", JSON.stringify(settlePayment));
  assert.deepEqual(await card(), { balance: start.balance - 40, available: start.available - 40 });
  for (const amount of [1500, 1000]) {
    const { refundOrder } = await adminClient.query(
      gql`
        mutation Refund($input: RefundOrderInput!) {
          refundOrder(input: $input) { __typename ... on Refund { state total } ... on ErrorResult { message } }
        }
      `,
      { input: { lines: [], shipping: 0, adjustment: 0, amount, paymentId, reason: "Cold" } },
    );
    assert.equal(refundOrder.state, "Settled", JSON.stringify(refundOrder));
  }
  assert.equal((await card()).balance, start.balance - 15);
});

test("a payment that is cancelled gives back, and more than the card has is declined with the wallet's words", async () => {
  const start = await card();
  await orderOf();
  const order = await pay();
  const { cancelPayment } = await adminClient.query(
    gql`mutation Cancel($id: ID!) { cancelPayment(id: $id) { __typename ... on Payment { state } } }`,
    { id: order.payments[0].id },
  );
  assert.equal(cancelPayment.state, "Cancelled", JSON.stringify(cancelPayment));
  assert.deepEqual(await card(), start);
  await orderOf(50);
  const declined = await pay();
  assert.equal(declined.errorCode, "PAYMENT_DECLINED_ERROR");
  assert.match(declined.paymentErrorMessage, /balance/i);
  assert.deepEqual(await card(), start);
});
