// What a journey runs inside a till's page: the page's own modules, bundled apart.
import { CompactSign } from "jose";
import { findKept, rememberCustomer } from "@/components/offline-counter/customers";
import { keepTopUp } from "@/components/offline-counter/keep-top-up";
import { keepDevice, newKeys, publicJwk, readDevice } from "@/components/till-device/device";
import { openStore } from "@/components/till-store/store";
import { LINE_CHANNEL } from "@/lib/domain/offline-counter";

const parts = {
  CompactSign,
  findKept,
  keepDevice,
  keepTopUp,
  LINE_CHANNEL,
  rememberCustomer,
  newKeys,
  openStore,
  publicJwk,
  readDevice,
};
export type TillParts = typeof parts;
(globalThis as unknown as { tillParts: TillParts }).tillParts = parts;
