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
// [LendingHandle], [Sandbox.SmartAccount] a [SmartAccountHandle],
// [Sandbox.PredictMeta] a [PredictMetaHandle], [Sandbox.Swap] a [SwapHandle],
// [Sandbox.AMM] an [AMMHandle], [Sandbox.ProviderSwap] a [ProviderSwapHandle],
// [Sandbox.BurnClose] a [BurnCloseHandle], [Sandbox.OnchainData] an
// [OnchainDataHandle], [Sandbox.SocialSearch] a [SocialSearchHandle] and
// [Sandbox.Webhooks] a [WebhooksHandle]. [Sandbox.Ledger] reads the ledger and
// adds money to it. [Sandbox.Market] sets prices.
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
// between at least two shapes; [Config.Shape] picks a single shape. Documented
// types are served as documented, unless [Config.Drift] makes some answers
// deviate, as those of live services do. The body fields of smartaccount are
// required, except limits, the expiry of a direct debit, the start of a
// subscription and sessionKeySignature: the documentation does not say which are.
//
// # Time
//
// The sandbox has its own clock. It follows real time unless
// [Config.ManualClock] stops it, and [Sandbox.Advance] moves it forward: a
// cooldown of two days takes no real time. Slots, blockhashes, confirmations,
// rate limits, interest and webhook retries follow this clock, and so does the
// Date header of answers.
//
// # Trouble
//
// [Sandbox.Fault] makes requests fail: with a status, a delay, a reset before or
// after the request was carried out, or a truncated or garbled body.
// [Sandbox.Attack] replaces the transactions that services build. [FeedHandle]
// disturbs the WebSocket as networks and servers do, and logs what was written,
// to compare with what the client received. [Config.Network] loses
// transactions and makes nodes lag. Rate limits are the documented limits;
// [Config.Tiers] and [Config.NoLimits] change them.
//
// # Limits
//
// Prices, yields and routes are made up. The ledger knows only the programs
// that wallets use, and has no forks, no fee market and only rough compute
// metering. The same [Config.Seed] gives the same keys and addresses.
package sandbox
