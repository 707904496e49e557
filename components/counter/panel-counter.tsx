"use client";

import { useLocale, useTranslations } from "next-intl";
import {
  type KeyboardEvent,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { SignedOutContext } from "@/components/accounts/session/session";
import { readMark } from "@/components/tills/device/mark";
import { TillContext } from "@/components/tills/device/own-till";
import type { OpenTill } from "@/components/tills/offline/open-till";
import { useLoaded } from "@/components/ui/use-loaded";
import { whenQuiet } from "@/components/ui/when-quiet";
import type { NoteGround } from "@/lib/cards/model/card-colours";
import type { Role } from "@/lib/domain/roles";
import { clearAnswers } from "./answer-cache";
import { findUnansweredAttempt } from "./attempt";
import { counterApi } from "./counter-api";
import { CustomerSearch, SEARCH_ID } from "./customer-search";
import { earlyAmount } from "./early-amount";
import { RecentList, useRecent } from "./recent-list";
import { SCANNER_ID, ScanButton } from "./scan-button";
import type { CounterMode, CounterSetting, FirstRecent } from "./types";
import { readLiveCode, type Served, useOpenCustomer } from "./use-open-customer";

const loadDialog = () => import("./money-dialog");
const loadScanner = () => import("./scanner");

function Counter({ mode, setting, customerId }: Props & { setting: CounterSetting }) {
  const [wanted, setWanted] = useState(false);
  const recent = useRecent(setting.api, mode);
  const served = useOpenCustomer(mode, setting);
  const { open, opening, openCode, resume, close } = served;
  useStart(setting.api.user, customerId, served);
  const { part: scanner, want: wantScanner, failed } = useLoaded(loadScanner);
  const camera = wanted && !failed;
  const startCamera = () => {
    setWanted(true);
    wantScanner();
  };
  useCameraAutoStart(startCamera);
  const { part: dialog, want } = useLoaded(loadDialog);
  // Loaded soon, because the connection may be gone when a customer is there; tried again after a failure.
  useEffect(() => whenQuiet(want), [want]);
  useEffect(() => {
    if (open && !dialog) want();
  }, [open, dialog, want]);
  // A new search for each customer: otherwise the old hits with their old balances would stay after Done.
  const [searches, setSearches] = useState(0);
  const early = useEarlyAmount(opening !== null || (open !== null && !dialog));
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:items-start" onKeyDownCapture={early.onKeyDown}>
      <div className="grid min-w-0 grid-cols-1 gap-4 landscape-phone:grid-cols-2 landscape-phone:items-start">
        {camera && scanner ? (
          <scanner.Scanner active={!open} busy={opening !== null} onActive={setWanted} onText={openCode} />
        ) : (
          <ScanButton mode={mode} busy={camera || opening !== null} onStart={startCamera} onText={openCode} />
        )}
        <CustomerSearch key={searches} setting={setting} served={served} />
      </div>
      <RecentList recent={recent} setting={setting} />
      {open && dialog && (
        <dialog.MoneyDialog
          key={open.customer.publicId}
          mode={open.mode ?? mode}
          setting={setting}
          customer={open.customer}
          liveCode={open.liveCode ?? readLiveCode(open.customer)}
          found={open.found}
          startAmount={early.typed()}
          onPosted={(_, posted) => {
            clearAnswers();
            if (posted === recent.mode) recent.refresh();
            // The list shows the kind that was posted last; the sheet can do both.
            recent.setMode(posted);
          }}
          onClosed={() => document.getElementById(camera ? SCANNER_ID : SEARCH_ID)?.focus()}
          onClose={(posted) => {
            early.clear();
            close();
            if (!posted) return;
            setSearches((count) => count + 1);
            // One that was left without an answer: the server answers now.
            const left = posted.kept ? null : findUnansweredAttempt(setting.api.user);
            if (left) resume(left.customer, left.mode);
          }}
        />
      )}
    </div>
  );
}

function useEarlyAmount(waiting: boolean) {
  const [early] = useState(earlyAmount);
  // A layout effect runs before further keys.
  useLayoutEffect(() => early.wait(waiting), [early, waiting]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey && early.take(event.key)) event.preventDefault();
  };
  return { ...early, onKeyDown };
}

/** Opens the customer of an interrupted attempt, or of the link; without one the search gets the focus. */
function useStart(user: string, customerId: string | null, { openId, resume }: Served) {
  const started = useRef(false);
  const start = useEffectEvent(() => {
    if (started.current) return;
    started.current = true;
    const interrupted = findUnansweredAttempt(user);
    if (interrupted) return resume(interrupted.customer, interrupted.mode);
    if (customerId) return openId(customerId);
    const idle = document.activeElement === null || document.activeElement === document.body;
    // On a phone the keyboard would cover the scanner.
    if (!idle || !matchMedia("(pointer: fine)").matches) return;
    document.getElementById(SEARCH_ID)?.focus({ preventScroll: true });
  });
  useEffect(() => start(), []);
}

function useCameraAutoStart(start: () => void) {
  const onAllowed = useEffectEvent(start);
  useEffect(() => {
    const startIfAllowed = async () => {
      const permission = await navigator.permissions.query({ name: "camera" });
      if (permission.state === "granted") onAllowed();
    };
    // In browsers without this query the camera starts by its button.
    startIfAllowed().catch(() => {});
  }, []);
}

/** The counter's calls, and a banner: on a paired till they go on without a connection; elsewhere nothing is loaded. */
function useOfflineCounter(mode: CounterMode, { api: base, merchants }: CounterSetting) {
  const t = useTranslations("offlineCounter");
  const locale = useLocale();
  const [till, setTill] = useState<OpenTill | null>(null);
  const handle = base.session;
  // A user who serves all merchants keeps nothing here: a till may not send top-ups of other merchants.
  const ofMerchant = merchants === null;
  useEffect(() => {
    if (readMark() === null || !ofMerchant) return;
    let left = false;
    let close = () => {};
    const start = async () => {
      const { openTill } = await import("@/components/tills/offline/open-till");
      const opened = await openTill(handle);
      close = opened?.close ?? close;
      if (left) close();
      else setTill(opened);
    };
    // If they cannot be loaded, the till works like any browser. The line of the session before is closed: it would stay down.
    start().catch(() => left || setTill(null));
    return () => {
      left = true;
      close();
    };
  }, [handle, ofMerchant]);
  const api = useMemo(() => till?.api(base, t, locale) ?? base, [till, base, t, locale]);
  const banner = till && <till.Banner line={till.line} mode={mode} />;
  return { api, banner, recentNote: till?.recentNote };
}

export type CounterSettingProps = Pick<CounterSetting, "merchants" | "ofBranch"> &
  Partial<Pick<CounterSetting, "refundDays">> & {
    user: { role: Role; userId: string; handle: string; branchId: string | null };
    first?: FirstRecent | undefined;
  };

/** The counter's settings for the signed-in user, with its API calls. Without a session the page does as SignedOutContext says. */
export function useCounterSetting({
  user: { role, userId, handle, branchId: homeBranchId },
  ofBranch = false,
  merchants,
  refundDays = 0,
  first,
}: CounterSettingProps): CounterSetting {
  const api = useMemo(() => counterApi(handle, userId, first), [handle, userId, first]);
  const onSignedOut = useContext(SignedOutContext);
  const needsReason = role !== "branch_worker";
  return { api, merchants, homeBranchId, ofBranch, needsReason, refundDays, onSignedOut };
}

type Props = { mode: CounterMode; customerId: string | null };

/** The counter in a panel; on a till it goes on without a connection, and says so. */
export function PanelCounter({
  mode,
  note,
  customerId,
  ...props
}: CounterSettingProps & Props & { note: NoteGround | undefined }) {
  const setting = useCounterSetting(props);
  const { api, banner, recentNote } = useOfflineCounter(mode, setting);
  const ready = { ...setting, api, recentNote, note };
  return (
    <>
      {banner}
      <Counter key={mode} mode={mode} setting={ready} customerId={customerId} />
    </>
  );
}

/** The counter of a PIN session: what it needs to know comes from the till, not with the page. */
export function TillCounter(props: Props) {
  const session = useContext(TillContext);
  if (!session) return null;
  const { cashier, till } = session;
  return (
    <PanelCounter
      {...props}
      user={{
        role: "branch_worker",
        userId: cashier.id,
        handle: cashier.handle,
        branchId: till.branch.id,
      }}
      ofBranch
      merchants={null}
      refundDays={till.refundDays}
      note={till.note}
    />
  );
}
