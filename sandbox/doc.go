// Package sandbox runs all eleven services and a Solana node in one process, on
// loopback, for examples and for a program's own tests:
//
//	s, err := sandbox.Start(sandbox.Config{})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	client, err := lending.New(lending.Config{
//		BaseURL: s.URL(sandbox.Lending),
//		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.Lending)),
//	})
//	if err != nil {
//		return err
//	}
//	pools, err := client.ListPools(ctx)
//
// [Start] takes a [Config], whose zero value is ready to use, and returns a
// [Sandbox]. The services build real transactions. A toy ledger verifies
// signatures and blockhashes and executes each transaction once, as a whole or
// not at all. A service changes its books only when its transaction is
// executed. [Sandbox.Wallet] is a key with money, [Sandbox.ProgramID] is the
// program to pin, and [Sandbox.URL] of [RPC] is a node to submit to.
//
// # Handles
//
// The controls of one service are on its handle: [Sandbox.Lending] returns a
// [LendingHandle], and so on. [Sandbox.Ledger] reads the ledger and adds money to it.
// [Sandbox.Market] sets prices.
//
// # Strictness
//
// The sandbox refuses a request that no correct client sends, as the service
// would, and lists it in [Sandbox.Violations]: an undocumented parameter or
// field, a wrong type, a missing required field, an empty text, a malformed
// address or list, anything after the JSON body, or a credential that is
// missing, malformed, doubled or not asked for. A number is plain digits with at
// most one fraction; where the documentation says integer, it has no fraction.
// What is wrong with the form of a request is listed even if something else, such
// as a wrong key or a rate limit, refuses the request. A wrong key, a rate limit
// and a refusal that depends on state are errors, but not violations.
//
// What the documentation leaves open, the sandbox takes: any word where no list
// of words is given, any parameter where none are shown, an escaped comma for a
// comma. If the documentation shows no shape for an answer, the sandbox alternates
// between at least two shapes; [play.Config.Shape] picks a single shape. Documented
// types are served as documented, unless [play.Config.Drift] makes some answers
// deviate, as those of live services do. The body fields of smartaccount are
// required, except limits, the expiry of a direct debit, the start of a
// subscription and sessionKeySignature: the documentation does not say which are.
//
// # Time
//
// The sandbox has its own clock. It follows real time unless
// [play.Config.ManualClock] stops it, and [Sandbox.Advance] moves it forward: a
// cooldown of two days takes no real time. Slots, blockhashes, confirmations,
// rate limits, interest and webhook retries follow this clock, and so does the
// Date header of answers.
//
// These wait on the sandbox's clock, and with a manual clock for Advance: a
// request to burnclose with waitForConfirmation, which ends when the transaction
// has settled or the clock passes confirmationTimeoutMs, and tells what was true
// at that time even if the clock leaps further; the second and later attempts of
// a webhook; the fills of an order; the messages of the WebSocket. These wait in
// real time: [play.Fault.Delay], [FeedHandle.Slow], the answer of a webhook's
// destination ([play.Config.WebhookTimeout]), [Settle], and a silent node.
//
// Clients follow the sandbox's clock if they are given [Sandbox.Options], the wallet and
// rpcnode if they are given the Clock in it. [Sandbox.AdvanceUntil] then runs a program
// that waits as fast as it can, and does not move while a goroutine of [walletfi.Go] works.
// Of a program in another process only the requests are seen, so that it moves the clock
// itself, by the control port's /advance, when it has nothing else to do.
//
// # Any language
//
// [play.Config.Control] opens a control port next to the services, through which
// programs in any language use every control of this package: see [ControlPort].
// Command walletfi sandbox runs a sandbox as a process with it. Such a program
// lets /sign-transaction sign with the test wallet, or signs itself with the key
// of /wallet.
//
// What must go back whole (quotes, intents) may come back re-encoded, equal in
// value with every digit; [play.Config.StrictEcho] demands the bytes.
//
// # Snapshots
//
// [Snapshot] has the whole state of a sandbox, from which others start and to which
// [Restore] goes back. From there on the same requests have the same answers. Of
// deliveries of webhooks that are in flight at one time it is left to the destinations which
// ends first, as without a snapshot.
//
// # Node
//
// The node answers as Agave does, at the slot of the commitment that is asked for.
// Every block has a vote, which status and history calls know; its signature does not
// verify. Simulations and preflights run on the bank of their commitment, finalized if none is
// named: what is newer, blockhashes too, they do not know. Services build transactions on
// the newest confirmed blockhash.
// What [LedgerHandle.FundWallet] adds is seen at every commitment at once, unless a
// transaction has just changed the account.
//
// The WebSocket at the port after the node's has all of Agave's subscriptions but
// voteSubscribe. At processed they tell of each transaction as it lands, at the other
// commitments once a block. What [LedgerHandle.FundWallet] adds they do not tell;
// requestAirdrop is a transaction.
//
// # Deployments
//
// [play.Config.Deployment] makes services speak as a vendor's do: other routes, words,
// places of credentials, shapes, numbers, pages. The translation is the sandbox's own,
// made from docs/deployment-file.md. It is as strict as without: a documented word
// where a live one is due is a [Violation]. Answers carry members next to what a step
// unwraps. A refusal under a status of success has the shape of the answer or, in turn,
// none.
//
// # Market
//
// All services trade one market: a swap through one moves the pools for all, and
// [MarketHandle.SetPrice] moves every service that prices by the market at once.
// Between, prices move by a few percent on their own, those of onchaindata by up to
// four. Swaps execute at the price at execution, so that a price that is set between
// a quote and its transaction makes it fail, and one between two fills of an order
// leaves it filled in part. The prediction markets do not run out: when a round of
// events closes, the next one opens, for as long as the clock is advanced.
//
// A spending limit of smartaccount refuses by itself. The params of the allowlist,
// blocklist, time window and approval policies are not documented, so that these
// refuse nothing until [SmartAccountHandle.SetPolicyRefuses] says so.
//
// # Trouble
//
// [Sandbox.Fault] makes requests fail: with a status, a delay, a reset before or
// after the request was carried out, a truncated or garbled body, or an answer that
// is well-formed and wrong in one member ([play.Fault.Lie], [Lied]).
// [Sandbox.Attack] replaces the transactions that services build. [FeedHandle]
// disturbs the WebSocket as networks and servers do, and logs what was written,
// to compare with what the client received. [play.Config.Network] loses
// transactions, skips slots, and makes nodes lag or keep no history. With a
// [play.FeeMarket] other traffic competes for the blocks, and what pays too little is
// dropped. Rate limits are the documented limits; [play.Config.Tiers] and
// [play.Config.NoLimits] change them.
//
// # Teams
//
// Any number of users share a sandbox without meeting as tenants: [play.Config.Tenants],
// [AddTenant]. [Reset] begins violations, faults or the whole state again behind the same
// addresses. [Requests] tells what was asked and answered. The control port has a page for
// people that shows all of it.
//
// # Long runs
//
// A sandbox may run for days. It lets go, by its own clock, of transactions
// that it built, within two minutes; of instructions, after ten; of quotes,
// after five to ten; of searches to be continued, after an hour; of posts that
// it made up, after 30 days; of events of prediction markets with their mints, a
// few days after they have been closed for 60, unless there is a token account or
// a subscription of theirs. It remembers the newest 2,048 transactions whole,
// with all of the last 300 slots, and the status of 32,768 more; 4,096 quotes,
// orders, and events of each wallet; 2,048 transactions of an account; 4,096
// executed trades of a pool; about 2,048 deliveries; 1,000 requests with
// 4 MiB of bodies; and of each tenant the first 999 violations and the last one, which has
// their number.
//
// # Limits
//
// Prices, yields and routes are made up. The ledger knows only the programs
// that wallets use: System, Token, Token-2022, associated accounts, memo,
// lookup tables, stake, the compute budget and the three that verify signatures. They
// refuse what mainnet's refuse, with the same errors. Stake is active at the next epoch,
// whole, and earns nothing. A transfer whose mint has a hook is refused, and of confidential
// transfers only the mint's extension exists. There are no forks. The same
// [play.Config.Seed] gives the same keys and addresses.
package sandbox
