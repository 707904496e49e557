export { downloadLiability as GET } from "@/app/_panels/downloads";
