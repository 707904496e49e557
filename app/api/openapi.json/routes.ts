// Written by `npm run routes`; the contract's test fails when it is out of date.
import * as r0 from "@/app/api/auth/change-password/route";
import * as r1 from "@/app/api/auth/forgot-password/route";
import * as r2 from "@/app/api/auth/login/route";
import * as r3 from "@/app/api/auth/logout/route";
import * as r4 from "@/app/api/auth/reset-password/route";
import * as r5 from "@/app/api/auth/send-otp/route";
import * as r6 from "@/app/api/auth/update-profile/route";
import * as r7 from "@/app/api/auth/verify-otp/route";
import * as r8 from "@/app/api/branches/[id]/route";
import * as r9 from "@/app/api/branches/route";
import * as r10 from "@/app/api/cron/route";
import * as r11 from "@/app/api/customer/[id]/apple-wallet-pass/route";
import * as r12 from "@/app/api/customer/[id]/balance/route";
import * as r13 from "@/app/api/customer/[id]/google-wallet-link/route";
import * as r14 from "@/app/api/customer/[id]/loyalty-card.pdf/route";
import * as r15 from "@/app/api/customer-management/[id]/route";
import * as r16 from "@/app/api/customer-management/route";
import * as r17 from "@/app/api/customer-management/view/[id]/route";
import * as r18 from "@/app/api/customers/exists/route";
import * as r19 from "@/app/api/customers/register/route";
import * as r20 from "@/app/api/customers/totals/route";
import * as r21 from "@/app/api/health/route";
import * as r22 from "@/app/api/merchants-customer/route";
import * as r23 from "@/app/api/outlets/[id]/route";
import * as r24 from "@/app/api/outlets/route";
import * as r25 from "@/app/api/points-config/history/route";
import * as r26 from "@/app/api/points-config/route";
import * as r27 from "@/app/api/profile/route";
import * as r28 from "@/app/api/ready/route";
import * as r29 from "@/app/api/redeem-points/route";
import * as r30 from "@/app/api/top-up-points/route";
import * as r31 from "@/app/api/top-up-points/search-customers/route";
import * as r32 from "@/app/api/transactions/[id]/reverse/route";
import * as r33 from "@/app/api/wallet/v1/devices/[device]/registrations/[passType]/[serial]/route";
import * as r34 from "@/app/api/wallet/v1/devices/[device]/registrations/[passType]/route";
import * as r35 from "@/app/api/wallet/v1/log/route";
import * as r36 from "@/app/api/wallet/v1/passes/[passType]/[serial]/route";
import * as r37 from "@/app/api/workers/[id]/route";
import * as r38 from "@/app/api/workers/route";

/** Every route of the API with its path. */
export const ROUTES: [string, Record<string, unknown>][] = [
  ["/auth/change-password", r0],
  ["/auth/forgot-password", r1],
  ["/auth/login", r2],
  ["/auth/logout", r3],
  ["/auth/reset-password", r4],
  ["/auth/send-otp", r5],
  ["/auth/update-profile", r6],
  ["/auth/verify-otp", r7],
  ["/branches/{id}", r8],
  ["/branches", r9],
  ["/cron", r10],
  ["/customer/{id}/apple-wallet-pass", r11],
  ["/customer/{id}/balance", r12],
  ["/customer/{id}/google-wallet-link", r13],
  ["/customer/{id}/loyalty-card.pdf", r14],
  ["/customer-management/{id}", r15],
  ["/customer-management", r16],
  ["/customer-management/view/{id}", r17],
  ["/customers/exists", r18],
  ["/customers/register", r19],
  ["/customers/totals", r20],
  ["/health", r21],
  ["/merchants-customer", r22],
  ["/outlets/{id}", r23],
  ["/outlets", r24],
  ["/points-config/history", r25],
  ["/points-config", r26],
  ["/profile", r27],
  ["/ready", r28],
  ["/redeem-points", r29],
  ["/top-up-points", r30],
  ["/top-up-points/search-customers", r31],
  ["/transactions/{id}/reverse", r32],
  ["/wallet/v1/devices/{device}/registrations/{passType}/{serial}", r33],
  ["/wallet/v1/devices/{device}/registrations/{passType}", r34],
  ["/wallet/v1/log", r35],
  ["/wallet/v1/passes/{passType}/{serial}", r36],
  ["/workers/{id}", r37],
  ["/workers", r38],
];
