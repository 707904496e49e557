import { readDevice } from "./device";
import { makeProof } from "./proof";

/** Answers the till proof of a server action that is sent to this page, or null without a key. */
export async function proveAction(url: URL, token: string | null): Promise<string | null> {
  const device = await readDevice();
  return device && makeProof(device.keys, { method: "POST", url, token });
}
