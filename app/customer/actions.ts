"use server";

import { headers } from "next/headers";
import { type Registration, registerCustomer } from "@/lib/customers/register-customer";
import { sendCode } from "@/lib/customers/send-code";
import { type Verified, verifyCode } from "@/lib/customers/verify-code";
import {
  registerCustomerSchema,
  sendCodeSchema,
  signUpFormSchema,
  verifyCodeSchema,
} from "@/lib/domain/schemas/customer";
import { action } from "@/lib/http/action";
import { holderCookie, verificationCookie, verificationOf, verificationUsed } from "@/lib/http/card-cookies";
import { keepCookie } from "@/lib/http/web-cookies";

/** Checks the whole sign-up form and mails the first code. */
export const startSignUpAction = action(signUpFormSchema, sendCode);

export const sendCodeAction = action(sendCodeSchema, sendCode);

const verifyHere: typeof verifyCode = Object.assign(
  async (...[ctx, input]: Parameters<typeof verifyCode>) => verifyCode(ctx, { ...input, keepsSecret: true }),
  { permission: verifyCode.permission },
);

export const verifyCodeAction = action(verifyCodeSchema, verifyHere, async (output: Verified) => {
  await keepCookie(verificationCookie(output.verification));
  return { email: output.email };
});

const registerHere: typeof registerCustomer = Object.assign(
  async (...[ctx, input]: Parameters<typeof registerCustomer>) =>
    registerCustomer(ctx, { ...input, verification: verificationOf(await headers()) }),
  { permission: registerCustomer.permission },
);

export const registerAction = action(registerCustomerSchema, registerHere, async (output: Registration) => {
  await keepCookie(holderCookie(output.customerId, output.holderToken));
  await keepCookie(verificationUsed());
  return { customerId: output.customerId, isNewRegistration: output.isNewRegistration };
});
