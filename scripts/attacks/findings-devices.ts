import { tokenOf } from "@/lib/testing/calls";
import { newAddress } from "@/lib/testing/contract/exchange";
import { makeMerchant, PASSWORD } from "@/lib/testing/factories";
import type { Tally } from "./tally";
import type { Target } from "./target";

type Account = { email: string };

const deviceIn = (headers: Headers): string | null =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith("wallet_device="))
    ?.split(";")[0] ?? null;

/**
 * 19, 24: sign-ins without a cookie collect known devices. Each device has separate guesses and a separate
 * volume.
 */
export async function collectDevices(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const { owner } = await makeMerchant(db);
  const signIn = ({ email }: Account, sPassword: string, cookie?: string) =>
    target.api("post /auth/login", {
      address: newAddress(),
      ...(cookie ? { headers: { cookie } } : {}),
      body: { sEmail: email, sPassword },
    });
  const devices: string[] = [];
  for (let n = 0; n < 14; n += 1) {
    const answer = await signIn(owner, PASSWORD);
    tally.works(answer.status === 200, "signing in");
    const device = deviceIn(answer.headers);
    if (device) devices.push(device);
  }
  tally.try(devices.length === 5, `${devices.length} known devices of one account in a day`);
  let guesses = 0;
  for (const device of devices) {
    for (let n = 0; n < 5; n += 1) {
      if ((await signIn(owner, "a wrong guess", device)).status === 401) guesses += 1;
    }
  }
  tally.try(guesses === 5, `${guesses} guesses with ${devices.length} known devices`);

  const { owner: other } = await makeMerchant(db);
  const before = deviceIn((await signIn(other, PASSWORD)).headers) ?? "";
  const changed = await target.api("put /auth/change-password", {
    token: await tokenOf(db, other),
    headers: { cookie: before },
    body: { sOldPassword: PASSWORD, sNewPassword: "a long new password 7" },
  });
  tally.works(changed.status === 200, "changing the password");
  for (let n = 0; n < 51; n += 1) await signIn(other, "a wrong guess");
  const old = await signIn(other, "a long new password 7", before);
  tally.status(old.status, [429], "a device that was known by the password before");
  const kept = deviceIn(changed.headers) ?? "";
  const now = await signIn(other, "a long new password 7", kept);
  tally.status(now.status, [200], "the device that changed the password");
}
