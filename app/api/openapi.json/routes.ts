// Written by `npm run routes`; the contract's test fails when it is out of date.
import * as r0 from "@/app/api/activity/route";
import * as r1 from "@/app/api/auth/change-password/route";
import * as r2 from "@/app/api/auth/forgot-password/route";
import * as r3 from "@/app/api/auth/login/route";
import * as r4 from "@/app/api/auth/logout/route";
import * as r5 from "@/app/api/auth/merchant/email-exist/route";
import * as r6 from "@/app/api/auth/merchant/signup/route";
import * as r7 from "@/app/api/auth/merchant/upload-url/route";
import * as r8 from "@/app/api/auth/reset-password/route";
import * as r9 from "@/app/api/auth/send-otp/route";
import * as r10 from "@/app/api/auth/update-profile/route";
import * as r11 from "@/app/api/auth/verify-otp/route";
import * as r12 from "@/app/api/bonus-points/route";
import * as r13 from "@/app/api/branches/[id]/route";
import * as r14 from "@/app/api/branches/route";
import * as r15 from "@/app/api/cron/route";
import * as r16 from "@/app/api/customer/[id]/apple-wallet-pass/route";
import * as r17 from "@/app/api/customer/[id]/balance/route";
import * as r18 from "@/app/api/customer/[id]/google-wallet-link/route";
import * as r19 from "@/app/api/customer/[id]/loyalty-card.pdf/route";
import * as r20 from "@/app/api/customer/[id]/my-data/route";
import * as r21 from "@/app/api/customer-exist/route";
import * as r22 from "@/app/api/customer-management/[id]/route";
import * as r23 from "@/app/api/customer-management/route";
import * as r24 from "@/app/api/customer-management/view/[id]/route";
import * as r25 from "@/app/api/customers/exists/route";
import * as r26 from "@/app/api/customers/register/route";
import * as r27 from "@/app/api/customers/totals/route";
import * as r28 from "@/app/api/health/route";
import * as r29 from "@/app/api/ledger/journal/route";
import * as r30 from "@/app/api/ledger/verify/route";
import * as r31 from "@/app/api/media/[...key]/route";
import * as r32 from "@/app/api/media/upload/[token]/route";
import * as r33 from "@/app/api/merchants/[id]/approval/route";
import * as r34 from "@/app/api/merchants/[id]/route";
import * as r35 from "@/app/api/merchants/route";
import * as r36 from "@/app/api/merchants-customer/route";
import * as r37 from "@/app/api/outlets/[id]/route";
import * as r38 from "@/app/api/outlets/route";
import * as r39 from "@/app/api/points-config/history/route";
import * as r40 from "@/app/api/points-config/route";
import * as r41 from "@/app/api/profile/route";
import * as r42 from "@/app/api/ready/route";
import * as r43 from "@/app/api/recent-redeems/route";
import * as r44 from "@/app/api/recent-top-ups/route";
import * as r45 from "@/app/api/redeem-points/code/route";
import * as r46 from "@/app/api/redeem-points/route";
import * as r47 from "@/app/api/reports/liability/route";
import * as r48 from "@/app/api/top-up-points/route";
import * as r49 from "@/app/api/top-up-points/search-customers/route";
import * as r50 from "@/app/api/transactions/[id]/refund/route";
import * as r51 from "@/app/api/transactions/[id]/reverse/route";
import * as r52 from "@/app/api/transactions/export/route";
import * as r53 from "@/app/api/transactions/route";
import * as r54 from "@/app/api/wallet/v1/devices/[device]/registrations/[passType]/[serial]/route";
import * as r55 from "@/app/api/wallet/v1/devices/[device]/registrations/[passType]/route";
import * as r56 from "@/app/api/wallet/v1/log/route";
import * as r57 from "@/app/api/wallet/v1/passes/[passType]/[serial]/route";
import * as r58 from "@/app/api/workers/[id]/route";
import * as r59 from "@/app/api/workers/route";

/** Every route of the API with its path. */
export const ROUTES: [string, Record<string, unknown>][] = [
  ["/activity", r0],
  ["/auth/change-password", r1],
  ["/auth/forgot-password", r2],
  ["/auth/login", r3],
  ["/auth/logout", r4],
  ["/auth/merchant/email-exist", r5],
  ["/auth/merchant/signup", r6],
  ["/auth/merchant/upload-url", r7],
  ["/auth/reset-password", r8],
  ["/auth/send-otp", r9],
  ["/auth/update-profile", r10],
  ["/auth/verify-otp", r11],
  ["/bonus-points", r12],
  ["/branches/{id}", r13],
  ["/branches", r14],
  ["/cron", r15],
  ["/customer/{id}/apple-wallet-pass", r16],
  ["/customer/{id}/balance", r17],
  ["/customer/{id}/google-wallet-link", r18],
  ["/customer/{id}/loyalty-card.pdf", r19],
  ["/customer/{id}/my-data", r20],
  ["/customer-exist", r21],
  ["/customer-management/{id}", r22],
  ["/customer-management", r23],
  ["/customer-management/view/{id}", r24],
  ["/customers/exists", r25],
  ["/customers/register", r26],
  ["/customers/totals", r27],
  ["/health", r28],
  ["/ledger/journal", r29],
  ["/ledger/verify", r30],
  ["/media/{key}", r31],
  ["/media/upload/{token}", r32],
  ["/merchants/{id}/approval", r33],
  ["/merchants/{id}", r34],
  ["/merchants", r35],
  ["/merchants-customer", r36],
  ["/outlets/{id}", r37],
  ["/outlets", r38],
  ["/points-config/history", r39],
  ["/points-config", r40],
  ["/profile", r41],
  ["/ready", r42],
  ["/recent-redeems", r43],
  ["/recent-top-ups", r44],
  ["/redeem-points/code", r45],
  ["/redeem-points", r46],
  ["/reports/liability", r47],
  ["/top-up-points", r48],
  ["/top-up-points/search-customers", r49],
  ["/transactions/{id}/refund", r50],
  ["/transactions/{id}/reverse", r51],
  ["/transactions/export", r52],
  ["/transactions", r53],
  ["/wallet/v1/devices/{device}/registrations/{passType}/{serial}", r54],
  ["/wallet/v1/devices/{device}/registrations/{passType}", r55],
  ["/wallet/v1/log", r56],
  ["/wallet/v1/passes/{passType}/{serial}", r57],
  ["/workers/{id}", r58],
  ["/workers", r59],
];
