export { downloadJournal as GET } from "@/app/_panels/downloads";
