// Package webhooks is the client of service K, which watches addresses and
// contracts on several chains and notifies an HTTPS destination, and the
// receiver for such a destination.
//
// # Management
//
// A Client creates webhooks from templates, lists, reads, updates, deletes and
// tests them. Authentication is Authorization: Bearer. The answers are not
// documented: what can be known is typed, everything is in Raw. Neither error
// bodies nor rate limits are documented.
//
// Reading, Update and Delete are repeated where no connection was made, after a
// timeout or a broken answer, after a 5xx and after a 429 once it has reset.
// Create and Test would happen twice: they are repeated only where no
// connection was made, and end in walletfi.ErrOutcomeUnknown without a clear
// answer.
//
// # Receiving
//
// A Receiver verifies the signature over the bytes as they came, runs a handler
// once a delivery, and answers what the service needs to hear. The service
// waits 30 seconds and tries five times: at once, after 1 minute, 5 minutes, 30
// minutes and 2 hours. After that it marks the webhook failed and every later
// event is lost, so give a Receiver a DeadLetter function.
//
// Without a queue every event is handled at least once. It is handled again
// where the process died between the handler's end and the commit to Seen,
// where Seen is in memory and the process restarted, and where the service
// changed the body between two attempts. With a queue the service hears 200
// before the handler ran, so that what a dying process had queued is lost.
//
// A Verifier alone serves those who have a server of their own: Verify, then
// ParseDelivery. A DeliverySigner makes deliveries for tests.
package webhooks
