import { answerBy } from "@/lib/api/answer";
import { API_CALLS } from "@/lib/api/table";

const answer = answerBy(API_CALLS);

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
