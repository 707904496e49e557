import { DownloadIcon, FileTextIcon, StoreIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ComponentProps } from "react";
import { MerchantSettingsForm } from "@/app/_panels/merchant-settings";
import { CopyButton } from "@/components/data/copy-button";
import { BranchName, MerchantName } from "@/components/data/names";
import { Details, PageHeader } from "@/components/data/page-header";
import { StatusBadge, SuspendedBadge } from "@/components/data/status-badge";
import { TitledCard } from "@/components/data/titled-card";
import { Decision, ProfileDecision, Suspension } from "@/components/merchants/decision";
import { ShopPicture } from "@/components/merchants/pending-profile";
import { MENU_ICONS } from "@/components/panel/menu-icons";
import { WaitingLimit } from "@/components/points-config/waiting-change";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import { pageContext, pageTitle, readOr404 } from "@/lib/api/page";
import { formatPhone } from "@/lib/domain/contact";
import { idSchema } from "@/lib/domain/ids";
import { NIL_ID } from "@/lib/domain/is-id";
import { formatCount } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";
import { scopeOf } from "@/lib/domain/policy";
import type { Role } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import { picturesOf, signupUrl } from "@/lib/files/media-url";
import type { MerchantDetail } from "@/lib/merchants/names";
import { getMerchant } from "@/lib/merchants/read-merchants";
import { viewPendingLimits } from "@/lib/points-config/pending-limits";

/** An earlier rejection with its reason, and what the owner wrote since then. */
function Again({ merchant, at }: { merchant: MerchantDetail; at: Date }) {
  const t = useTranslations("merchants.again");
  const locale = useLocale();
  const said = [
    { label: t("before"), text: merchant.previousReason },
    { label: t("note"), text: merchant.applicationNote },
  ];
  return (
    <Alert variant="warning" className="mb-5" title={t("title", { time: formatDateTime(at, locale) })}>
      <dl className="flex flex-col gap-2">
        {said.map(
          ({ label, text }) =>
            text && (
              <div key={label}>
                <dt className="font-medium">{label}</dt>
                <dd className="whitespace-pre-line break-words">
                  <bdi className="block">{text}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
    </Alert>
  );
}

function Note({ text, ...alert }: ComponentProps<typeof Alert> & { text: string | null }) {
  return (
    <Alert {...alert} className="mb-5" textClass="whitespace-pre-line break-words">
      <bdi className="block">{text}</bdi>
    </Alert>
  );
}

function Notes({ merchant }: { merchant: MerchantDetail }) {
  const t = useTranslations();
  const locale = useLocale();
  return (
    <>
      {merchant.status === "rejected" && merchant.statusReason && (
        <Note variant="destructive" title={t("merchants.reason")} text={merchant.statusReason} />
      )}
      {merchant.appliedAgainAt && <Again merchant={merchant} at={merchant.appliedAgainAt} />}
      {merchant.suspendedAt && (
        <Note
          variant="warning"
          title={t("suspension.since", { time: formatDateTime(merchant.suspendedAt, locale) })}
          text={merchant.suspensionReason}
        />
      )}
    </>
  );
}

function About({ merchant }: { merchant: MerchantDetail }) {
  const pictures = picturesOf(merchant);
  const t = useTranslations("merchants");
  const locale = useLocale();
  return (
    <Card className="overflow-hidden pt-0">
      {pictures.image ? (
        <ShopPicture src={pictures.image} alt={t("imageAlt")} className="h-44 w-full object-cover" />
      ) : (
        <div className="flex h-28 items-center justify-center bg-muted text-muted-foreground">
          <StoreIcon className="size-8" aria-hidden />
        </div>
      )}
      <CardContent>
        {pictures.logo && (
          <div className="mb-4">
            <ShopPicture src={pictures.logo} alt={t("logoAlt")} />
          </div>
        )}
        <Details
          items={[
            { label: t("change.name"), value: <bdi>{merchant.businessName}</bdi> },
            merchant.businessNameAr && {
              label: t("profile.nameAr"),
              value: <bdi lang="ar">{merchant.businessNameAr}</bdi>,
            },
            merchant.colour && {
              label: t("change.colour"),
              value: <bdi className="font-mono">{merchant.colour}</bdi>,
            },
            { label: t("owner"), value: <bdi>{`${merchant.firstName} ${merchant.lastName}`}</bdi> },
            { label: t("email"), value: <bdi className="break-all">{merchant.email}</bdi> },
            { label: t("phone"), value: <bdi dir="ltr">{formatPhone(merchant.phone)}</bdi> },
            { label: t("workers"), value: formatCount(merchant.workers) },
            { label: t("received"), value: formatDateTime(merchant.createdAt, locale) },
            merchant.decidedAt && {
              label: t("decidedAt"),
              value: formatDateTime(merchant.decidedAt, locale),
            },
            merchant.decidedAt && {
              label: t("decidedBy"),
              value: <bdi>{merchant.decidedBy ?? "–"}</bdi>,
            },
          ]}
        />
      </CardContent>
    </Card>
  );
}

function SignupUrl({ url }: { url: string }) {
  const t = useTranslations("merchants");
  return (
    <TitledCard title={t("signupLink")} contentClass="flex items-center gap-3">
      <bdi dir="ltr" title={url} className="min-w-0 flex-1 truncate rounded-md bg-muted px-3 py-2 text-sm">
        {url}
      </bdi>
      <CopyButton text={url} />
    </TitledCard>
  );
}

function Documents({ merchant }: { merchant: MerchantDetail }) {
  const t = useTranslations("merchants");
  const locale = useLocale();
  return (
    <TitledCard title={t("documents")}>
      {merchant.documents.length === 0 ? (
        <p className="text-muted-foreground text-sm">{t("noDocuments")}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {merchant.documents.map((file) => (
            <li key={file.id}>
              <a
                href={`/admin/merchants/${merchant.id}/documents/${file.id}`}
                className="flex items-center gap-3 rounded-lg border px-3 py-2.5 text-sm transition-colors hover:bg-accent"
              >
                <FileTextIcon className="size-4 shrink-0 text-muted-foreground" aria-hidden />
                <span className="min-w-0 flex-1">
                  <bdi className="block truncate">{file.fileName}</bdi>
                  <span className="text-muted-foreground text-xs">{formatDateTime(file.sentAt, locale)}</span>
                </span>
                <DownloadIcon className="size-4 shrink-0" aria-hidden />
              </a>
            </li>
          ))}
        </ul>
      )}
    </TitledCard>
  );
}

function Branches({ merchant }: { merchant: MerchantDetail }) {
  const t = useTranslations("merchants");
  const branches = useTranslations("branches");
  return (
    <TitledCard title={t("branches")}>
      <ul className="divide-y text-sm">
        {merchant.firstBranches.map((branch) => (
          <li key={branch.id} className="flex items-center gap-3 py-2 first:pt-0 last:pb-0">
            <span className="min-w-0 flex-1 font-medium">
              <BranchName of={branch} />
            </span>
            {branch.archived && <Badge>{branches("states.archived")}</Badge>}
            <bdi className="text-muted-foreground">{branch.city}</bdi>
          </li>
        ))}
      </ul>
    </TitledCard>
  );
}

const BY_MERCHANT = [
  "/admin/customers",
  "/admin/transactions",
  "/admin/liability",
  "/admin/workers",
  "/admin/outlets",
  "/admin/activity",
];

/** Links to a merchant's customers, money, people and activity, as far as the role opens those pages. */
function MerchantLinks({ merchantId, role }: { merchantId: string; role: Role }) {
  const t = useTranslations();
  const entries = PANELS[role].menu.filter(({ href }) => BY_MERCHANT.includes(href));
  return (
    <nav aria-label={t("merchants.records")} className="mb-5 flex flex-wrap gap-2">
      {entries.map(({ key, href }) => {
        const Icon = MENU_ICONS[key];
        return (
          <LinkButton
            key={key}
            variant="outline"
            size="sm"
            href={`${href}?merchantId=${merchantId}`}
            prefetch={false}
          >
            <Icon aria-hidden /> {t(`panels.menu.${key}`)}
          </LinkButton>
        );
      })}
    </nav>
  );
}

export const generateMetadata = pageTitle("panels.titles.merchants");

export default async function MerchantPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await pageContext(getMerchant);
  const id = idSchema.catch(NIL_ID).parse((await params).id);
  const { role } = ctx.actor;
  const [merchant, waiting, t] = await Promise.all([
    readOr404(getMerchant, ctx, { id }),
    readOr404(viewPendingLimits, ctx, { merchantId: id }),
    getTranslations("merchants"),
  ]);
  const approved = merchant.status === "approved";
  // An application has nothing to set: its owner does that later, and in the owner's words.
  const maySet = approved && scopeOf(role, "merchant.settings");
  return (
    <>
      <PageHeader
        back={{ href: "/admin/merchants", label: t("back") }}
        title={
          <span className="flex flex-wrap items-center gap-3">
            <MerchantName of={merchant} />
            <StatusBadge status={merchant.status} />
            {merchant.applications > 1 && (
              <Badge variant="warning">{t("again.badge", { count: merchant.applications })}</Badge>
            )}
            {merchant.suspendedAt && <SuspendedBadge />}
          </span>
        }
        actions={
          <>
            {(approved || merchant.suspendedAt) && scopeOf(role, "merchants.suspend") && (
              <Suspension merchant={merchant} />
            )}
            <Decision merchant={merchant} />
          </>
        }
      />
      <MerchantLinks merchantId={id} role={role} />
      <Notes merchant={merchant} />
      {merchant.pendingProfile && (
        <ProfileDecision
          merchant={merchant}
          change={merchant.pendingProfile}
          images={{ present: picturesOf(merchant), wanted: picturesOf(merchant.pendingProfile) }}
        />
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <About merchant={merchant} />
        <div className="grid grid-cols-1 gap-5">
          <Documents merchant={merchant} />
          <Branches merchant={merchant} />
          {approved && <SignupUrl url={signupUrl(merchant.publicId)} />}
        </div>
      </div>
      {(maySet || waiting.length > 0) && (
        <section aria-labelledby="settings" className="mt-8">
          <h2 id="settings" className="mb-3 font-semibold text-lg">
            {t("settings")}
          </h2>
          {maySet ? (
            <MerchantSettingsForm ctx={ctx} merchantId={id} />
          ) : (
            waiting.map((pending) => <WaitingLimit key={pending.id} pending={pending} decides />)
          )}
        </section>
      )}
    </>
  );
}
