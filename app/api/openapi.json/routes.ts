// Written by `npm run routes`; the contract's test fails when it is out of date.
import * as r0 from "@/app/api/activity/route";
import * as r1 from "@/app/api/admins/[id]/route";
import * as r2 from "@/app/api/admins/route";
import * as r3 from "@/app/api/auth/change-password/route";
import * as r4 from "@/app/api/auth/confirm-email/route";
import * as r5 from "@/app/api/auth/email/codes/route";
import * as r6 from "@/app/api/auth/email/route";
import * as r7 from "@/app/api/auth/forgot-password/route";
import * as r8 from "@/app/api/auth/login/route";
import * as r9 from "@/app/api/auth/logout/route";
import * as r10 from "@/app/api/auth/merchant/application/route";
import * as r11 from "@/app/api/auth/merchant/email-exist/route";
import * as r12 from "@/app/api/auth/merchant/signup/route";
import * as r13 from "@/app/api/auth/merchant/upload-url/route";
import * as r14 from "@/app/api/auth/passkey-options/route";
import * as r15 from "@/app/api/auth/pin/route";
import * as r16 from "@/app/api/auth/reset-password/route";
import * as r17 from "@/app/api/auth/second-factor/route";
import * as r18 from "@/app/api/auth/send-otp/route";
import * as r19 from "@/app/api/auth/step-up/route";
import * as r20 from "@/app/api/auth/update-profile/route";
import * as r21 from "@/app/api/auth/verify-otp/route";
import * as r22 from "@/app/api/bonus-points/route";
import * as r23 from "@/app/api/branches/[id]/route";
import * as r24 from "@/app/api/branches/route";
import * as r25 from "@/app/api/cron/route";
import * as r26 from "@/app/api/csp-report/route";
import * as r27 from "@/app/api/customer/[id]/apple-wallet-pass/route";
import * as r28 from "@/app/api/customer/[id]/balance/route";
import * as r29 from "@/app/api/customer/[id]/google-wallet-link/route";
import * as r30 from "@/app/api/customer/[id]/loyalty-card.pdf/route";
import * as r31 from "@/app/api/customer/[id]/my-data/route";
import * as r32 from "@/app/api/customer-exist/route";
import * as r33 from "@/app/api/customer-management/[id]/route";
import * as r34 from "@/app/api/customer-management/block/route";
import * as r35 from "@/app/api/customer-management/route";
import * as r36 from "@/app/api/customer-management/view/[id]/route";
import * as r37 from "@/app/api/customers/exists/route";
import * as r38 from "@/app/api/customers/register/route";
import * as r39 from "@/app/api/customers/totals/route";
import * as r40 from "@/app/api/health/route";
import * as r41 from "@/app/api/ledger/journal/route";
import * as r42 from "@/app/api/ledger/verify/route";
import * as r43 from "@/app/api/media/[...key]/route";
import * as r44 from "@/app/api/media/upload/[token]/route";
import * as r45 from "@/app/api/merchants/[id]/approval/route";
import * as r46 from "@/app/api/merchants/[id]/route";
import * as r47 from "@/app/api/merchants/[id]/settings/route";
import * as r48 from "@/app/api/merchants/[id]/suspension/route";
import * as r49 from "@/app/api/merchants/route";
import * as r50 from "@/app/api/merchants-customer/route";
import * as r51 from "@/app/api/notices/route";
import * as r52 from "@/app/api/notices/seen/route";
import * as r53 from "@/app/api/offline-entries/[id]/resolve/route";
import * as r54 from "@/app/api/offline-entries/route";
import * as r55 from "@/app/api/outlets/[id]/route";
import * as r56 from "@/app/api/outlets/route";
import * as r57 from "@/app/api/points-config/history/route";
import * as r58 from "@/app/api/points-config/pending/[id]/approval/route";
import * as r59 from "@/app/api/points-config/pending/[id]/route";
import * as r60 from "@/app/api/points-config/route";
import * as r61 from "@/app/api/profile/route";
import * as r62 from "@/app/api/proof-of-work/route";
import * as r63 from "@/app/api/ready/route";
import * as r64 from "@/app/api/recent-redeems/route";
import * as r65 from "@/app/api/recent-top-ups/route";
import * as r66 from "@/app/api/redeem-points/code/route";
import * as r67 from "@/app/api/redeem-points/find/route";
import * as r68 from "@/app/api/redeem-points/route";
import * as r69 from "@/app/api/reports/liability/route";
import * as r70 from "@/app/api/search/route";
import * as r71 from "@/app/api/second-factors/[id]/route";
import * as r72 from "@/app/api/second-factors/passkey/route";
import * as r73 from "@/app/api/second-factors/recovery-codes/route";
import * as r74 from "@/app/api/second-factors/route";
import * as r75 from "@/app/api/second-factors/totp/route";
import * as r76 from "@/app/api/shifts/[id]/close/route";
import * as r77 from "@/app/api/shifts/[id]/drawer/route";
import * as r78 from "@/app/api/shifts/[id]/route";
import * as r79 from "@/app/api/shifts/route";
import * as r80 from "@/app/api/tills/[id]/route";
import * as r81 from "@/app/api/tills/me/route";
import * as r82 from "@/app/api/tills/pair/route";
import * as r83 from "@/app/api/tills/route";
import * as r84 from "@/app/api/tills/sync/route";
import * as r85 from "@/app/api/top-up-points/route";
import * as r86 from "@/app/api/top-up-points/search-customers/route";
import * as r87 from "@/app/api/transactions/[id]/receipt/route";
import * as r88 from "@/app/api/transactions/[id]/refund/route";
import * as r89 from "@/app/api/transactions/[id]/reverse/route";
import * as r90 from "@/app/api/transactions/export/route";
import * as r91 from "@/app/api/transactions/route";
import * as r92 from "@/app/api/wallet/v1/devices/[device]/registrations/[passType]/[serial]/route";
import * as r93 from "@/app/api/wallet/v1/devices/[device]/registrations/[passType]/route";
import * as r94 from "@/app/api/wallet/v1/log/route";
import * as r95 from "@/app/api/wallet/v1/passes/[passType]/[serial]/route";
import * as r96 from "@/app/api/workers/[id]/route";
import * as r97 from "@/app/api/workers/route";

/** Every route of the API with its path. */
export const ROUTES: [string, Record<string, unknown>][] = [
  ["/activity", r0],
  ["/admins/{id}", r1],
  ["/admins", r2],
  ["/auth/change-password", r3],
  ["/auth/confirm-email", r4],
  ["/auth/email/codes", r5],
  ["/auth/email", r6],
  ["/auth/forgot-password", r7],
  ["/auth/login", r8],
  ["/auth/logout", r9],
  ["/auth/merchant/application", r10],
  ["/auth/merchant/email-exist", r11],
  ["/auth/merchant/signup", r12],
  ["/auth/merchant/upload-url", r13],
  ["/auth/passkey-options", r14],
  ["/auth/pin", r15],
  ["/auth/reset-password", r16],
  ["/auth/second-factor", r17],
  ["/auth/send-otp", r18],
  ["/auth/step-up", r19],
  ["/auth/update-profile", r20],
  ["/auth/verify-otp", r21],
  ["/bonus-points", r22],
  ["/branches/{id}", r23],
  ["/branches", r24],
  ["/cron", r25],
  ["/csp-report", r26],
  ["/customer/{id}/apple-wallet-pass", r27],
  ["/customer/{id}/balance", r28],
  ["/customer/{id}/google-wallet-link", r29],
  ["/customer/{id}/loyalty-card.pdf", r30],
  ["/customer/{id}/my-data", r31],
  ["/customer-exist", r32],
  ["/customer-management/{id}", r33],
  ["/customer-management/block", r34],
  ["/customer-management", r35],
  ["/customer-management/view/{id}", r36],
  ["/customers/exists", r37],
  ["/customers/register", r38],
  ["/customers/totals", r39],
  ["/health", r40],
  ["/ledger/journal", r41],
  ["/ledger/verify", r42],
  ["/media/{key}", r43],
  ["/media/upload/{token}", r44],
  ["/merchants/{id}/approval", r45],
  ["/merchants/{id}", r46],
  ["/merchants/{id}/settings", r47],
  ["/merchants/{id}/suspension", r48],
  ["/merchants", r49],
  ["/merchants-customer", r50],
  ["/notices", r51],
  ["/notices/seen", r52],
  ["/offline-entries/{id}/resolve", r53],
  ["/offline-entries", r54],
  ["/outlets/{id}", r55],
  ["/outlets", r56],
  ["/points-config/history", r57],
  ["/points-config/pending/{id}/approval", r58],
  ["/points-config/pending/{id}", r59],
  ["/points-config", r60],
  ["/profile", r61],
  ["/proof-of-work", r62],
  ["/ready", r63],
  ["/recent-redeems", r64],
  ["/recent-top-ups", r65],
  ["/redeem-points/code", r66],
  ["/redeem-points/find", r67],
  ["/redeem-points", r68],
  ["/reports/liability", r69],
  ["/search", r70],
  ["/second-factors/{id}", r71],
  ["/second-factors/passkey", r72],
  ["/second-factors/recovery-codes", r73],
  ["/second-factors", r74],
  ["/second-factors/totp", r75],
  ["/shifts/{id}/close", r76],
  ["/shifts/{id}/drawer", r77],
  ["/shifts/{id}", r78],
  ["/shifts", r79],
  ["/tills/{id}", r80],
  ["/tills/me", r81],
  ["/tills/pair", r82],
  ["/tills", r83],
  ["/tills/sync", r84],
  ["/top-up-points", r85],
  ["/top-up-points/search-customers", r86],
  ["/transactions/{id}/receipt", r87],
  ["/transactions/{id}/refund", r88],
  ["/transactions/{id}/reverse", r89],
  ["/transactions/export", r90],
  ["/transactions", r91],
  ["/wallet/v1/devices/{device}/registrations/{passType}/{serial}", r92],
  ["/wallet/v1/devices/{device}/registrations/{passType}", r93],
  ["/wallet/v1/log", r94],
  ["/wallet/v1/passes/{passType}/{serial}", r95],
  ["/workers/{id}", r96],
  ["/workers", r97],
];
