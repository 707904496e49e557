import createClient from "openapi-fetch";
import type { paths } from "../generated/schema.js";

/** The options of a client. `key`: an API key, which only a server may hold. */
export type WalletOptions = { url: string; key: string };

/**
 * A client of the wallet with the types of its published schema. Every call answers `{ data, error, response }`: `error` has
 * a `code` that is the same in every language. Give calls of money an `Idempotency-Key` in `params.header`, and repeat the
 * same call with the same key when no answer comes.
 */
export const createWallet = ({ url, key }: WalletOptions) =>
  createClient<paths>({ baseUrl: `${url}/api`, headers: { Authorization: `Bearer ${key}` } });
