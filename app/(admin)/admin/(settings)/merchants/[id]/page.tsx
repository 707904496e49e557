import { cancelPendingAction } from "@/app/_panels/actions";
import { MerchantSettingsForm } from "@/app/_panels/merchant-settings";
import { Decision } from "@/components/merchants/decision";
import { MerchantLinks, MerchantView } from "@/components/merchants/merchant-view";
import { ProfileDecision } from "@/components/merchants/profile-decision";
import { Suspension } from "@/components/merchants/suspension";
import { WaitingLimit } from "@/components/points-config/waiting-change";
import { pageContext, readOr404 } from "@/lib/api/page";
import { idSchema } from "@/lib/domain/ids";
import { NIL_ID } from "@/lib/domain/is-id";
import { scopeOf } from "@/lib/domain/policy";
import { picturesOf, signupUrl } from "@/lib/files/media-url";
import { pageTitle } from "@/lib/i18n/page-title";
import { getMerchant } from "@/lib/merchants/read-merchants";
import { viewPendingLimits } from "@/lib/points-config/pending-limits";
import { decideMerchantAction, decideProfileAction, suspendMerchantAction } from "../actions";

export const generateMetadata = pageTitle("panels.titles.merchants");

export default async function MerchantPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await pageContext(getMerchant);
  const id = idSchema.catch(NIL_ID).parse((await params).id);
  const { role } = ctx.actor;
  const [merchant, waiting] = await Promise.all([
    readOr404(getMerchant, ctx, { id }),
    readOr404(viewPendingLimits, ctx, { merchantId: id }),
  ]);
  return (
    <MerchantView
      merchant={merchant}
      pictures={picturesOf(merchant)}
      signupUrl={signupUrl(merchant.publicId)}
      actions={
        <>
          {(merchant.status === "approved" || merchant.suspendedAt) && scopeOf(role, "merchants.suspend") && (
            <Suspension merchant={merchant} suspend={suspendMerchantAction} />
          )}
          <Decision merchant={merchant} decide={decideMerchantAction} />
        </>
      }
      links={<MerchantLinks merchantId={merchant.id} role={role} />}
      change={
        merchant.pendingProfile && (
          <ProfileDecision
            merchant={merchant}
            change={merchant.pendingProfile}
            images={{
              present: picturesOf(merchant),
              wanted: picturesOf(merchant.pendingProfile),
            }}
            decide={decideProfileAction}
          />
        )
      }
      settings={
        // An application has nothing to set: its owner does that later, and in the owner's words.
        merchant.status === "approved" && scopeOf(role, "merchant.settings") ? (
          <MerchantSettingsForm ctx={ctx} merchantId={merchant.id} />
        ) : (
          waiting.length > 0 &&
          waiting.map((pending) => (
            <WaitingLimit key={pending.id} pending={pending} actions={{ cancel: cancelPendingAction }} />
          ))
        )
      }
    />
  );
}
