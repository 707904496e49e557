"use client";

import { ArrowDownToLineIcon, ArrowUpFromLineIcon, CalculatorIcon, TabletSmartphoneIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ComponentProps, useCallback, useContext, useEffect, useState } from "react";
import { useFormContext } from "react-hook-form";
import { z } from "zod";
import { ATTEMPT_PREFIX, followKeep, readStored } from "@/components/accounts/session/stored-session";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { FormDialog } from "@/components/forms/form-dialog";
import { sendUnderKey } from "@/components/forms/idempotency-key";
import { QarField, TextareaField, TextField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { api, mapAnswer, toResult } from "@/lib/api/client";
import type { ActionResult } from "@/lib/domain/errors";
import { optionalQarSchema, qarSchema } from "@/lib/domain/typed";
import type { Tender } from "@/lib/ledger/model/tender";
import { type DrawerMoveKind, moveDrawerSchema } from "@/lib/tills/model/shift";
import { type ShiftView, tillCalls } from "@/lib/tills/names";
import { TillContext } from "../device/own-till";
import { useOwnTill } from "../device/use-own-till";
import { CashField } from "./cash-field";
import { ShiftReportView } from "./shift-report";

// Goes with all that a tab keeps of its cashier (clearTab); no user's attempt has this name.
const nameOf = (form: string) => `${ATTEMPT_PREFIX}.typed.${form}`;

const isKept = (name: string): boolean => readStored("sessionStorage", nameOf(name)) !== null;

/** In a form: keeps what was typed while the till asks who is there, for the same cashier, and shows it again. */
function KeepForm({ name }: { name: string }) {
  const { reset, getValues } = useFormContext();
  useEffect(() => {
    const kept = readStored<object>("sessionStorage", nameOf(name));
    if (kept) {
      sessionStorage.removeItem(nameOf(name));
      reset(kept, { keepDefaultValues: true });
    }
    return followKeep(() => sessionStorage.setItem(nameOf(name), JSON.stringify(getValues())));
  }, [name, reset, getValues]);
  return null;
}

const countSchema = z.object({
  cash: qarSchema,
  card: optionalQarSchema,
  bank: optionalQarSchema,
  other: optionalQarSchema,
  note: z.string().max(500, { error: "validation.tooLong" }),
});
const countForm = (shiftId: string) => `count.${shiftId}`;
/** The tenders that a cashier counts besides cash. Online payments do not pass a counter. */
const OTHERS = ["card", "bank", "other"] as const;

type Props = {
  shift: ShiftView;
  handle: string;
  tenders: readonly Tender[];
  countWaiting: () => Promise<number>;
  onClosed: (shift: ShiftView) => void;
  onMoved?: () => Promise<void>;
  back?: ComponentProps<typeof ShiftReportView>["back"];
};

/** The blind count that closes a shift. The cashier counts the drawer before anybody sees the expected amounts. */
function CountForm({
  shift: { id },
  handle,
  tenders,
  countWaiting,
  onClosed,
  onBack,
}: Props & { onBack: () => void }) {
  const t = useTranslations("shiftDesk");
  const tender = useTranslations("movements.tenders");
  return (
    <TitledCard className="mx-auto w-full max-w-lg lg:max-w-4xl" title={t("count")} text={t("countText")}>
      <ActionForm
        schema={countSchema}
        defaultValues={{ cash: "", card: "", bank: "", other: "", note: "" }}
        action={async (input) => {
          const { note, ...counted } = countSchema.parse(input);
          const session = { session: handle };
          const count = { id, counted, note, waiting: await countWaiting() };
          const answer = await api(tillCalls.closeShift, count, session);
          // Closed before, perhaps by this count without an answer: its report is shown.
          const isClosed = answer.kind === "refused" && answer.code === "shift_closed";
          return toResult(isClosed ? await api(tillCalls.getShift, { id }, session) : answer, t("lost"));
        }}
        onSuccess={onClosed}
        className="lg:grid lg:grid-cols-2 lg:items-start lg:gap-6 lg:[&>[role=alert]]:col-span-2"
      >
        <KeepForm name={countForm(id)} />
        <CashField notes name="cash" label={t("cash")} hint={t("cashHint")} autoFocus />
        <div className="flex flex-col gap-4">
          {OTHERS.filter((one) => tenders.includes(one)).map((one) => (
            <QarField
              inputClassName="h-11"
              key={one}
              name={one}
              label={tender(one)}
              hint={t("otherHint")}
              optional
            />
          ))}
          <TextareaField name="note" label={t("note")} maxLength={500} optional />
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button type="button" variant="outline" size="lg" onClick={onBack}>
              {t("back")}
            </Button>
            <SubmitButton size="lg">{t("close")}</SubmitButton>
          </div>
        </div>
      </ActionForm>
    </TitledCard>
  );
}

const moveSchema = z.object({ amount: qarSchema, reason: moveDrawerSchema.shape.reason });

function RunningShift(props: Props) {
  const { shift, back } = props;
  const t = useTranslations("shiftDesk");
  const [counting, setCounting] = useState(() => isKept(countForm(shift.id)));
  if (counting) return <CountForm {...props} onBack={() => setCounting(false)} />;
  return (
    <ShiftReportView
      shift={shift}
      back={back}
      more={
        <>
          <MoveDialog {...props} kind="pay_in" />
          <MoveDialog {...props} kind="pay_out" />
          <Button size="lg" className="max-sm:col-span-2" onClick={() => setCounting(true)}>
            <CalculatorIcon aria-hidden /> {t("count")}
          </Button>
        </>
      }
    />
  );
}

function MoveDialog({ kind, shift: { id }, handle, onMoved }: Props & { kind: DrawerMoveKind }) {
  const t = useTranslations("shiftDesk");
  const name = `${kind}.${id}`;
  const [kept] = useState(() => isKept(name));
  const Icon = kind === "pay_in" ? ArrowDownToLineIcon : ArrowUpFromLineIcon;
  return (
    <FormDialog
      defaultOpen={kept}
      trigger={{ size: "lg", icon: Icon, children: t(`moves.${kind}.title`) }}
      title={t(`moves.${kind}.title`)}
      description={t(`moves.${kind}.text`)}
      submit={{ children: t("record") }}
      schema={moveSchema}
      defaultValues={{ amount: "", reason: "" }}
      action={async (input) => {
        const moved = { id, kind, ...moveSchema.parse(input) };
        const answer = await sendUnderKey(name, (idempotencyKey) =>
          api(tillCalls.moveDrawer, { ...moved, idempotencyKey }, { session: handle }),
        );
        return toResult(answer, t("lost"));
      }}
      onDone={onMoved}
    >
      <KeepForm name={name} />
      <CashField name="amount" label={t("amount")} />
      <TextField name="reason" label={t("reason")} maxLength={500} autoComplete="off" />
    </FormDialog>
  );
}

/** An open shift for its owner, who may be far from the till, or have lost it. */
export function OwnersShift(props: Omit<Props, "countWaiting" | "onClosed">) {
  const { refresh } = useRouter();
  // This browser is not the till, and does not know what that has not sent.
  return <RunningShift {...props} countWaiting={async () => 0} onClosed={refresh} />;
}

const openSchema = z.object({ float: qarSchema });

type OpenProps = { handle: string; tillId: string; onOpened: () => Promise<void> };

function OpenShiftCard({ handle, tillId, onOpened }: OpenProps) {
  const t = useTranslations("shiftDesk");
  return (
    <TitledCard className="mx-auto w-full max-w-lg" title={t("openTitle")} text={t("openText")}>
      <ActionForm
        schema={openSchema}
        defaultValues={{ float: "" }}
        action={async (input) => {
          const { float } = openSchema.parse(input);
          const answer = await api(tillCalls.openShift, { tillId, float }, { session: handle });
          // Somebody at this till was quicker: their shift is shown.
          const isOpen = answer.kind === "refused" && answer.code === "shift_open";
          return toResult(isOpen ? { kind: "ok", data: null } : mapAnswer(answer, () => null), t("lost"));
        }}
        onSuccess={onOpened}
      >
        <KeepForm name="open-shift" />
        <CashField notes name="float" label={t("float")} hint={t("floatHint")} />
        <SubmitButton size="xl">{t("open")}</SubmitButton>
      </ActionForm>
    </TitledCard>
  );
}

/** The drawer of this till: open a shift, move cash, count, close. `handle` is of a session that a password opened. */
export function ShiftDesk({ handle }: { handle?: string }) {
  const t = useTranslations("shiftDesk");
  const session = useContext(TillContext);
  const own = session?.cashier.handle ?? handle ?? "";
  const { state, refresh } = useOwnTill();
  const [closed, setClosed] = useState<ShiftView | null>(null);
  const onClosed = (shift: ShiftView | null) => {
    setClosed(shift);
    // The till's bar says that no shift is open any more.
    void refresh();
  };
  if (closed) {
    return (
      <ShiftReportView
        shift={closed}
        more={
          <Button variant="outline" size="lg" onClick={() => onClosed(null)}>
            {t("next")}
          </Button>
        }
      />
    );
  }
  if (state.kind === "none" || state.kind === "retired")
    return <Failed icon={TabletSmartphoneIcon} title={t("noTill")} description={t("noTillText")} />;
  if (state.kind === "lost" || (state.kind === "ready" && state.known === "lost"))
    return <Failed icon={TabletSmartphoneIcon} title={t("lost")} again={refresh} />;
  if (state.kind !== "ready" || state.known === "asking") return <Skeleton className="h-64 rounded-xl" />;
  const { id, shift, tenders } = state.till;
  if (!shift) return <OpenShiftCard handle={own} tillId={id} onOpened={refresh} />;
  return <OpenShift key={shift.id} id={shift.id} handle={own} tenders={tenders} onClosed={onClosed} />;
}

type FailedProps = Omit<ComponentProps<typeof EmptyState>, "action"> & { again?: () => Promise<void> };

function Failed({ again, ...props }: FailedProps) {
  const t = useTranslations("shiftDesk");
  const button = again && (
    <Button size="lg" onClick={() => void again()}>
      {t("again")}
    </Button>
  );
  return (
    <Card className="py-0">
      <EmptyState {...props} action={button} />
    </Card>
  );
}

const countHere = async () => (await import("../offline/store")).countToTell();

function OpenShift({ id, ...props }: Omit<Props, "shift" | "countWaiting"> & { id: string }) {
  const { handle } = props;
  const t = useTranslations("shiftDesk");
  const [answer, setAnswer] = useState<ActionResult<ShiftView> | null>(null);
  const read = useCallback(async () => {
    const next = toResult(await api(tillCalls.getShift, { id }, { session: handle }), t("lost"));
    // A shift that was read stays where it cannot be read again.
    setAnswer((before) => (before?.ok && !next.ok ? before : next));
  }, [handle, id, t]);
  useEffect(() => void read(), [read]);
  if (!answer) return <Skeleton className="h-64 rounded-xl" />;
  if (!answer.ok) return <Failed title={answer.message} again={read} />;
  return <RunningShift {...props} shift={answer.data} countWaiting={countHere} onMoved={read} />;
}
