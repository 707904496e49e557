// Written by `npm run routes`; the contract's test fails when it is out of date.
import * as r0 from "@/app/api/auth/change-password/route";
import * as r1 from "@/app/api/auth/forgot-password/route";
import * as r2 from "@/app/api/auth/login/route";
import * as r3 from "@/app/api/auth/logout/route";
import * as r4 from "@/app/api/auth/merchant/email-exist/route";
import * as r5 from "@/app/api/auth/merchant/signup/route";
import * as r6 from "@/app/api/auth/merchant/upload-url/route";
import * as r7 from "@/app/api/auth/passkey-options/route";
import * as r8 from "@/app/api/auth/reset-password/route";
import * as r9 from "@/app/api/auth/second-factor/route";
import * as r10 from "@/app/api/auth/send-otp/route";
import * as r11 from "@/app/api/auth/step-up/route";
import * as r12 from "@/app/api/auth/update-profile/route";
import * as r13 from "@/app/api/auth/verify-otp/route";
import * as r14 from "@/app/api/bonus-points/route";
import * as r15 from "@/app/api/branches/[id]/route";
import * as r16 from "@/app/api/branches/route";
import * as r17 from "@/app/api/cron/route";
import * as r18 from "@/app/api/customer/[id]/apple-wallet-pass/route";
import * as r19 from "@/app/api/customer/[id]/balance/route";
import * as r20 from "@/app/api/customer/[id]/google-wallet-link/route";
import * as r21 from "@/app/api/customer/[id]/loyalty-card.pdf/route";
import * as r22 from "@/app/api/customer/[id]/my-data/route";
import * as r23 from "@/app/api/customer-exist/route";
import * as r24 from "@/app/api/customer-management/[id]/route";
import * as r25 from "@/app/api/customer-management/route";
import * as r26 from "@/app/api/customer-management/view/[id]/route";
import * as r27 from "@/app/api/customers/exists/route";
import * as r28 from "@/app/api/customers/register/route";
import * as r29 from "@/app/api/customers/totals/route";
import * as r30 from "@/app/api/health/route";
import * as r31 from "@/app/api/ledger/journal/route";
import * as r32 from "@/app/api/ledger/verify/route";
import * as r33 from "@/app/api/media/[...key]/route";
import * as r34 from "@/app/api/media/upload/[token]/route";
import * as r35 from "@/app/api/merchants/[id]/approval/route";
import * as r36 from "@/app/api/merchants/[id]/route";
import * as r37 from "@/app/api/merchants/route";
import * as r38 from "@/app/api/merchants-customer/route";
import * as r39 from "@/app/api/outlets/[id]/route";
import * as r40 from "@/app/api/outlets/route";
import * as r41 from "@/app/api/points-config/history/route";
import * as r42 from "@/app/api/points-config/route";
import * as r43 from "@/app/api/profile/route";
import * as r44 from "@/app/api/ready/route";
import * as r45 from "@/app/api/recent-redeems/route";
import * as r46 from "@/app/api/recent-top-ups/route";
import * as r47 from "@/app/api/redeem-points/code/route";
import * as r48 from "@/app/api/redeem-points/route";
import * as r49 from "@/app/api/reports/liability/route";
import * as r50 from "@/app/api/second-factors/[id]/route";
import * as r51 from "@/app/api/second-factors/passkey/route";
import * as r52 from "@/app/api/second-factors/recovery-codes/route";
import * as r53 from "@/app/api/second-factors/route";
import * as r54 from "@/app/api/second-factors/totp/route";
import * as r55 from "@/app/api/top-up-points/route";
import * as r56 from "@/app/api/top-up-points/search-customers/route";
import * as r57 from "@/app/api/transactions/[id]/refund/route";
import * as r58 from "@/app/api/transactions/[id]/reverse/route";
import * as r59 from "@/app/api/transactions/export/route";
import * as r60 from "@/app/api/transactions/route";
import * as r61 from "@/app/api/wallet/v1/devices/[device]/registrations/[passType]/[serial]/route";
import * as r62 from "@/app/api/wallet/v1/devices/[device]/registrations/[passType]/route";
import * as r63 from "@/app/api/wallet/v1/log/route";
import * as r64 from "@/app/api/wallet/v1/passes/[passType]/[serial]/route";
import * as r65 from "@/app/api/workers/[id]/route";
import * as r66 from "@/app/api/workers/route";

/** Every route of the API with its path. */
export const ROUTES: [string, Record<string, unknown>][] = [
  ["/auth/change-password", r0],
  ["/auth/forgot-password", r1],
  ["/auth/login", r2],
  ["/auth/logout", r3],
  ["/auth/merchant/email-exist", r4],
  ["/auth/merchant/signup", r5],
  ["/auth/merchant/upload-url", r6],
  ["/auth/passkey-options", r7],
  ["/auth/reset-password", r8],
  ["/auth/second-factor", r9],
  ["/auth/send-otp", r10],
  ["/auth/step-up", r11],
  ["/auth/update-profile", r12],
  ["/auth/verify-otp", r13],
  ["/bonus-points", r14],
  ["/branches/{id}", r15],
  ["/branches", r16],
  ["/cron", r17],
  ["/customer/{id}/apple-wallet-pass", r18],
  ["/customer/{id}/balance", r19],
  ["/customer/{id}/google-wallet-link", r20],
  ["/customer/{id}/loyalty-card.pdf", r21],
  ["/customer/{id}/my-data", r22],
  ["/customer-exist", r23],
  ["/customer-management/{id}", r24],
  ["/customer-management", r25],
  ["/customer-management/view/{id}", r26],
  ["/customers/exists", r27],
  ["/customers/register", r28],
  ["/customers/totals", r29],
  ["/health", r30],
  ["/ledger/journal", r31],
  ["/ledger/verify", r32],
  ["/media/{key}", r33],
  ["/media/upload/{token}", r34],
  ["/merchants/{id}/approval", r35],
  ["/merchants/{id}", r36],
  ["/merchants", r37],
  ["/merchants-customer", r38],
  ["/outlets/{id}", r39],
  ["/outlets", r40],
  ["/points-config/history", r41],
  ["/points-config", r42],
  ["/profile", r43],
  ["/ready", r44],
  ["/recent-redeems", r45],
  ["/recent-top-ups", r46],
  ["/redeem-points/code", r47],
  ["/redeem-points", r48],
  ["/reports/liability", r49],
  ["/second-factors/{id}", r50],
  ["/second-factors/passkey", r51],
  ["/second-factors/recovery-codes", r52],
  ["/second-factors", r53],
  ["/second-factors/totp", r54],
  ["/top-up-points", r55],
  ["/top-up-points/search-customers", r56],
  ["/transactions/{id}/refund", r57],
  ["/transactions/{id}/reverse", r58],
  ["/transactions/export", r59],
  ["/transactions", r60],
  ["/wallet/v1/devices/{device}/registrations/{passType}/{serial}", r61],
  ["/wallet/v1/devices/{device}/registrations/{passType}", r62],
  ["/wallet/v1/log", r63],
  ["/wallet/v1/passes/{passType}/{serial}", r64],
  ["/workers/{id}", r65],
  ["/workers", r66],
];
