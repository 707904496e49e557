"use client";

import { Command } from "cmdk";
import {
  BellIcon,
  IdCardIcon,
  type LucideIcon,
  MapPinIcon,
  ReceiptTextIcon,
  SearchIcon,
  StoreIcon,
  UserIcon,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { VisuallyHidden } from "radix-ui";
import { useEffect, useState } from "react";
import { leaveIfSignedOut } from "@/components/accounts/session/session";
import { Dialog, DialogContent, DialogTitle } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { api } from "@/lib/api/client";
import { MIN_SEARCH_LENGTH } from "@/lib/counter/model/panel-search";
import { counterCalls, type PanelHits } from "@/lib/counter/names";
import { formatSignedPoints } from "@/lib/domain/money";
import { noticesPath, PANELS } from "@/lib/domain/panels";
import type { Role } from "@/lib/domain/roles";
import { MENU_ICONS } from "./menu-icons";

type HitKind = keyof PanelHits;
const HIT_KINDS = ["customers", "transactions", "branches", "workers", "merchants"] as const;
const ICONS: Record<HitKind, LucideIcon> = {
  customers: UserIcon,
  transactions: ReceiptTextIcon,
  branches: MapPinIcon,
  workers: IdCardIcon,
  merchants: StoreIcon,
};
const GROUP =
  "**:[[cmdk-group-heading]]:px-3 **:[[cmdk-group-heading]]:pt-3 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-muted-foreground **:[[cmdk-group-heading]]:text-xs";

type PaletteProps = {
  role: Role;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** The search over the panel: its pages, and what the API finds. */
export function Palette({ role, open, onOpenChange }: PaletteProps) {
  const t = useTranslations("palette");
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        showClose={false}
        aria-describedby={undefined}
        className="top-4 max-h-[min(36rem,calc(100dvh-2rem))] translate-y-0 gap-0 overflow-hidden p-0 sm:top-[12vh] sm:p-0 landscape-phone:top-2 landscape-phone:gap-0 landscape-phone:p-0"
      >
        <VisuallyHidden.Root>
          <DialogTitle>{t("open")}</DialogTitle>
        </VisuallyHidden.Root>
        <Search role={role} onGone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

function Search({ role, onGone }: { role: Role; onGone: () => void }) {
  const t = useTranslations();
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const { hits, failed, pending } = usePanelSearch(typed);
  const wanted = typed.trim().toLocaleLowerCase();
  const notices = noticesPath(role);
  const pages = [
    ...PANELS[role].menu.map(({ key, href }) => ({
      href,
      label: t(`panels.menu.${key}`),
      icon: MENU_ICONS[key],
    })),
    ...(notices ? [{ href: notices, label: t("panels.titles.notices"), icon: BellIcon }] : []),
  ].filter(({ label }) => label.toLocaleLowerCase().includes(wanted));
  const open = (path: string) => {
    onGone();
    router.push(path);
  };
  const short = wanted.length < MIN_SEARCH_LENGTH;
  const nothing = failed ? "failed" : pending ? "searching" : "none";
  const some = hits !== null && HIT_KINDS.some((kind) => hits[kind].length > 0);
  return (
    <Command shouldFilter={false} label={t("palette.open")} loop className="flex min-h-0 flex-col">
      <div className="flex h-14 shrink-0 items-center gap-3 border-b px-4">
        {pending ? <Spinner /> : <SearchIcon className="size-5 text-muted-foreground" aria-hidden />}
        <Command.Input
          value={typed}
          onValueChange={setTyped}
          placeholder={t(`palette.hints.${role}`)}
          maxLength={100}
          className="h-full min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted-foreground"
        />
        <kbd className="hidden rounded border px-1.5 text-muted-foreground text-xs sm:block">Esc</kbd>
      </div>
      <Command.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2">
        {hits && <Found role={role} hits={hits} onOpen={open} />}
        {pages.length > 0 && (
          <Command.Group heading={t("palette.kinds.pages")} className={GROUP}>
            {pages.map(({ href, label, icon: Icon }) => (
              <Item key={href} value={`page ${href}`} onOpen={() => open(href)}>
                <Icon className="size-4.5 text-muted-foreground" aria-hidden />
                <span className="truncate">{label}</span>
              </Item>
            ))}
          </Command.Group>
        )}
        {!some && pages.length === 0 && (
          <p role="status" className="px-3 py-8 text-center text-muted-foreground text-sm">
            {short ? t("palette.short", { count: MIN_SEARCH_LENGTH }) : t(`palette.${nothing}`)}
          </p>
        )}
      </Command.List>
    </Command>
  );
}

function Found({ role, hits, onOpen }: { role: Role; hits: Hits; onOpen: (path: string) => void }) {
  const t = useTranslations();
  const locale = useLocale();
  const detail = (hit: Hit) =>
    [
      hit.points === undefined ? hit.detail : formatSignedPoints(hit.points, locale),
      hit.saleRef,
      role === "super_admin" && ((locale === "ar" && hit.merchantNameAr) || hit.merchantName),
    ].filter((part): part is string => Boolean(part));
  return HIT_KINDS.map((kind) => {
    const Icon = ICONS[kind];
    return (
      hits[kind].length > 0 && (
        <Command.Group key={kind} heading={t(`palette.kinds.${kind}`)} className={GROUP}>
          {hits[kind].map((hit) => (
            <Item key={hit.id} value={`${kind} ${hit.id}`} onOpen={() => onOpen(hitPath(role, kind, hit))}>
              <Icon className="size-4.5 shrink-0 text-muted-foreground" aria-hidden />
              <span className="flex min-w-0 flex-1 items-baseline justify-between gap-x-3 max-sm:flex-col">
                <bdi className="max-w-full shrink-0 truncate sm:max-w-3/5">
                  {(kind === "merchants" && locale === "ar" && hit.merchantNameAr) || hit.name}
                </bdi>
                <span className="max-w-full truncate text-muted-foreground text-xs">
                  {detail(hit).map((part, at) => (
                    <span key={part}>
                      {at > 0 && " · "}
                      <bdi>{part}</bdi>
                    </span>
                  ))}
                </span>
              </span>
            </Item>
          ))}
        </Command.Group>
      )
    );
  });
}

function hitPath(role: Role, kind: HitKind, hit: Hit): string {
  const base = `/${PANELS[role].segment}`;
  const named = `?search=${encodeURIComponent(hit.name)}`;
  return {
    customers: role === "branch_worker" ? `/topup/${hit.publicId}` : `${base}/customers/${hit.id}`,
    transactions: `${base}/transactions/${hit.id}`,
    merchants: `${base}/merchants/${hit.id}`,
    workers: `${base}/workers${named}`,
    branches: `${base}/${role === "super_admin" ? "outlets" : "branches"}${named}`,
  }[kind];
}

function Item({ value, onOpen, children }: { value: string; onOpen: () => void; children: React.ReactNode }) {
  return (
    <Command.Item
      value={value}
      onSelect={onOpen}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 text-sm data-[selected=true]:bg-accent data-[selected=true]:text-accent-foreground"
    >
      {children}
    </Command.Item>
  );
}

const PAUSE_MS = 200;

type Hit = { id: string; name: string } & Partial<
  Pick<PanelHits["customers"][number], "publicId" | "detail" | "merchantName" | "merchantNameAr"> &
    Pick<PanelHits["transactions"][number], "points" | "saleRef">
>;
type Hits = Record<HitKind, Hit[]>;

async function read(term: string, signal: AbortSignal): Promise<Hits> {
  const answer = leaveIfSignedOut(await api(counterCalls.searchPanel, { search: term }, { signal }));
  if (answer.kind !== "ok") throw new Error(`search: ${answer.kind}`);
  return answer.data;
}

/** The API's hits for a term, after a pause in typing; null until the answer is known, and for a term that is too short. */
function usePanelSearch(typed: string): { hits: Hits | null; failed: boolean; pending: boolean } {
  const term = typed.trim();
  const long = term.length >= MIN_SEARCH_LENGTH;
  const [found, setFound] = useState({ term: "", hits: null as Hits | null, failed: false });
  useEffect(() => {
    if (!long) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      read(term, stop.signal).then(
        (hits) => setFound({ term, hits, failed: false }),
        () => stop.signal.aborted || setFound({ term, hits: null, failed: true }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [term, long]);
  const current = long && found.term === term;
  // While the next answer is on its way, the last one stays.
  return { hits: long ? found.hits : null, failed: current && found.failed, pending: long && !current };
}
