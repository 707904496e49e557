import { answerTexts } from "@/app/_texts/text-files";

type Props = { params: Promise<{ locale: string; file: string }> };

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The texts of a page, as a script that browsers keep: its name has a hash of what it says. */
export async function GET(_request: Request, { params }: Props): Promise<Response> {
  const { locale, file } = await params;
  const answer = answerTexts(locale, file);
  if (!answer) return new Response(null, { status: 404, headers: { "Cache-Control": "no-store" } });
  return new Response(answer.script, {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": answer.same ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-store",
    },
  });
}
