// What a journey runs inside a till's page: the page's own modules, bundled apart.
import { CompactSign } from "jose";
import { keepDevice, newKeys, publicJwk, readDevice } from "@/components/tills/device/device";
import { findKept, rememberCustomer } from "@/components/tills/offline/customers";
import { keepTopUp } from "@/components/tills/offline/keep-top-up";
import { openStore } from "@/components/tills/offline/store";
import { LINE_CHANNEL } from "@/lib/tills/model/offline-counter";

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
