import type { ReactNode } from "react";
import { Appearance } from "@/components/accounts/appearance";
import { FactorsCard } from "@/components/accounts/factors-card";
import { MailboxNotice } from "@/components/accounts/mailbox-notice";
import { PasswordCard, ProfileCard, SignOutCard } from "@/components/accounts/profile-card";
import { SessionsCard } from "@/components/accounts/sessions-card";
import { listFactors } from "@/lib/accounts/factors/manage";
import { listSessions } from "@/lib/accounts/own-sessions";
import { hasPin } from "@/lib/accounts/pin";
import { profile } from "@/lib/accounts/profile";
import { ownMailbox } from "@/lib/accounts/prove-mailbox";
import { pageContext } from "@/lib/api/page";
import { merchantName } from "@/lib/domain/localized-names";

/** The account page of every role. `first` and `second` are shown at the top of the two columns. */
export async function AccountSections({ first, second }: { first?: ReactNode; second?: ReactNode } = {}) {
  const ctx = await pageContext(profile);
  const [account, sessions, factors, mailbox, pin] = await Promise.all([
    profile(ctx, {}),
    listSessions(ctx, {}),
    listFactors(ctx, {}),
    ownMailbox(ctx, {}),
    hasPin(ctx, {}),
  ]);
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
      <div className="grid min-w-0 grid-cols-1 gap-5">
        <MailboxNotice mailbox={mailbox} />
        {first}
        <ProfileCard
          account={account}
          merchantName={account.merchant && merchantName(account.merchant, ctx.locale)}
        />
        <Appearance />
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-5">
        {second}
        <PasswordCard email={account.email} hasPin={pin} />
        <FactorsCard {...factors} />
        <SessionsCard sessions={sessions} now={ctx.clock().toISOString()} />
        <SignOutCard />
      </div>
    </div>
  );
}
