package chaos

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// payer is a process: the clients of all services that build or send, and a wallet
// for each door. All share the journal.
type payer struct {
	life
	*httpRun
	me       solana.PublicKey
	usdc     string
	lending  *lending.Client
	leverage *leverage.Client
	swap     *swap.Client
	amm      *amm.Client
	provider *providerswap.Client
	burn     *burnclose.Client
	node     *rpcnode.Client
	intents  *intents
	wallets  map[string]*wallet.Wallet
}

func newPayer(t *testing.T, g *httpRun) *payer {
	t.Helper()
	c := &payer{httpRun: g, me: solana.MustPublicKeyFromBase58(g.box.WalletAddress()), usdc: g.box.Mint("USDC"), wallets: map[string]*wallet.Wallet{}}
	c.stalled = g.struck("a lease is not renewed", .25)
	c.open(t)
	c.intents = &intents{client: c.swap, of: map[string]*swap.BuiltIntent{}}
	key, err := signing.NewLocalKey(g.box.Wallet())
	require.NoError(t, err)
	policy := flows.Policy(g.box)
	policy.Sponsors = []signing.PublicKey{g.patron.PublicKey()}
	for name, door := range map[string]walletfi.Submitter{
		"node": c.node, "leverage": c.leverage, "providerswap": c.provider, "burnclose": c.burn, "intent": c.intents, "sponsor": sponsoring{c},
	} {
		c.wallets[name] = opened(t, wallet.Config{
			Signer: key, Guard: signing.NewGuard(policy), Submitter: door, Bundles: c.leverage, Confirmer: c.node, Heights: c.node,
			Journal: mortalJournal{g.journal, &c.life, g.struck}, Lease: 15 * time.Second,
		})
	}
	return c
}

// open makes the clients, which all speak through the network.
func (c *payer) open(t *testing.T) {
	t.Helper()
	box, err := c.box, error(nil)
	through := &http.Client{Transport: processNetwork{c.network, &c.life}}
	options := walletfi.Options{HTTPClient: through}
	secret := func(s sandbox.Service) walletfi.Secret { return walletfi.NewSecret(box.APIKey(s)) }
	c.lending, err = lending.New(lending.Config{BaseURL: box.URL(sandbox.Lending), APIKey: secret(sandbox.Lending), Options: options})
	require.NoError(t, err)
	c.leverage, err = leverage.New(leverage.Config{BaseURL: box.URL(sandbox.Leverage), APIKey: secret(sandbox.Leverage), Options: options})
	require.NoError(t, err)
	c.swap, err = swap.New(swap.Config{BaseURL: box.URL(sandbox.Swap), APIKey: secret(sandbox.Swap), Options: options})
	require.NoError(t, err)
	c.amm, err = amm.New(amm.Config{TradeURL: box.URL(sandbox.AMM), DataURL: box.AMM().DataURL(), Pause: new(time.Duration(0)), Options: options})
	require.NoError(t, err)
	c.provider, err = providerswap.New(providerswap.Config{BaseURL: box.URL(sandbox.ProviderSwap), APIKey: secret(sandbox.ProviderSwap), Options: options})
	require.NoError(t, err)
	c.burn, err = burnclose.New(burnclose.Config{BaseURL: box.URL(sandbox.BurnClose), APIKey: secret(sandbox.BurnClose), Options: options})
	require.NoError(t, err)
	c.node, err = rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(box.URL(sandbox.RPC)), HTTPClient: through})
	require.NoError(t, err)
}

// end closes what the process has, whether it is dead or not.
func (c *payer) end() {
	c.dead.Store(true)
	for _, w := range c.wallets {
		w.Close()
	}
}

// kindOf is a kind of payment: which wallet makes it, and how it is built. n makes
// the amount.
type kindOf struct {
	wallet string
	bundle bool
	build  func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error)
}

var payments = map[string]kindOf{
	"transfer": {"node", false, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		return c.transfers(ctx, c.me, n, 1)
	}},
	"set of transfers": {"node", false, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		return c.transfers(ctx, c.me, n, 3)
	}},
	"bundle": {"leverage", true, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		return c.transfers(ctx, c.me, n, 2)
	}},
	"sponsored": {"sponsor", false, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		return c.transfers(ctx, solana.PublicKey(c.patron.PublicKey()), n, 1)
	}},
	"deposit": {"node", false, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		built, err := c.lending.BuildDeposit(ctx, lending.DepositRequest{Owner: c.me.String(), Mint: c.usdc, DepositType: lending.DepositProtected, Amount: c.usd(n)})
		return unsigned(built, err)
	}},
	"position": {"leverage", false, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		offers, err := c.leverage.ListOffers(ctx, leverage.OffersRequest{Side: leverage.SideLong, Limit: new(1)})
		if err != nil || len(offers.Items) == 0 {
			return walletfi.Unsigned{}, errors.Join(err, errNothing)
		}
		two, err := walletfi.NewDecimal("2")
		if err != nil {
			return walletfi.Unsigned{}, err
		}
		built, err := c.leverage.BuildOpen(ctx, leverage.OpenRequest{TipLamports: 10_000, CollateralMint: c.usdc, QuoteRequest: leverage.QuoteRequest{
			Offer: offers.Items[0].Address, Owner: c.me.String(), CollateralAmount: walletfi.Amount(20_000_000 + n), Leverage: two, Slippage: walletfi.SlippageBps(300),
		}})
		return unsigned(built, err)
	}},
	"swap": {"node", false, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		built, err := c.swap.BuildOrder(ctx, swap.OrderRequest{Owner: c.me.String(), InputMint: c.usdc, OutputMint: walletfi.NativeMint, Amount: c.usd(n), Slippage: walletfi.SlippageBps(300)})
		return unsigned(built, err)
	}},
	"intent": {"intent", false, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		built, err := c.swap.BuildIntent(ctx, swap.IntentRequest{InputMint: c.usdc, OutputMint: c.box.Mint("USDT"), Amount: c.usd(n), Slippage: walletfi.SlippageBps(300), Owner: c.me.String()})
		if err != nil {
			return walletfi.Unsigned{}, err
		}
		return c.intents.keep(built)
	}},
	"amm": {"node", false, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		quote, err := c.amm.QuoteBaseIn(ctx, amm.QuoteRequest{InputMint: c.usdc, OutputMint: walletfi.NativeMint, Amount: c.usd(n), Slippage: walletfi.SlippageBps(300), TxVersion: amm.TxVersionV0})
		if err != nil {
			return walletfi.Unsigned{}, err
		}
		built, err := c.amm.BuildSwap(ctx, amm.BuildRequest{Quote: quote, Owner: c.me.String(), ComputeUnitPriceMicroLamports: new(uint64(1000))})
		return unsigned(built, err)
	}},
	"providerswap": {"providerswap", false, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		built, err := c.provider.BuildSwap(ctx, providerswap.BuildRequest{Owner: c.me.String(), QuoteRequest: providerswap.QuoteRequest{
			InputMint: c.usdc, OutputMint: walletfi.NativeMint, Amount: c.usd(n), Slippage: walletfi.SlippageBps(300),
		}})
		return unsigned(built, err)
	}},
	"burn": {"burnclose", false, func(ctx context.Context, c *payer, n uint64) (walletfi.Unsigned, error) {
		built, err := c.burn.BuildBurn(ctx, burnclose.BurnRequest{Owner: c.me.String(), AssetID: c.box.Mint("DUST"), BurnAmount: new(walletfi.Amount(1 + n))})
		return unsigned(built, err)
	}},
}

var errNothing = errors.New("nothing is on offer")

// unsigned is a builder's answer, if there was one.
func unsigned(built interface{ Unsigned() walletfi.Unsigned }, err error) (walletfi.Unsigned, error) {
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	return built.Unsigned(), nil
}

// usd is about a dollar.
func (c *payer) usd(n uint64) walletfi.Amount { return walletfi.Amount(1_000_000 + 1000*n) }

// transfers pay lamports to the owner, on a blockhash of the node.
func (c *payer) transfers(ctx context.Context, payer solana.PublicKey, n uint64, count int) (u walletfi.Unsigned, err error) {
	u.Blockhash, u.LastValidBlockHeight, err = c.node.LatestBlockhash(ctx)
	if err != nil {
		return u, err
	}
	hash, err := solana.HashFromBase58(u.Blockhash)
	if err != nil {
		return u, err
	}
	u.Intent = walletfi.Intent{Service: "test", Owner: c.me.String(), PayTo: []string{c.me.String()}, Spend: []walletfi.Asset{{Mint: walletfi.NativeMint}}}
	if payer != c.me {
		u.Intent.Sponsor = payer.String()
	}
	for i := range count {
		lamports := 10*n + uint64(i) + 1
		built, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(lamports, c.me, c.me).Build()}, hash, solana.TransactionPayer(payer))
		if err != nil {
			return u, err
		}
		tx, err := solanago.FromSolana(built)
		if err != nil {
			return u, err
		}
		u.Transactions = append(u.Transactions, tx.Base64())
		u.Intent.Spend[0].Amount += walletfi.Amount(lamports)
	}
	return u, nil
}

// intents submits signed intents with what the service answered for them.
type intents struct {
	client *swap.Client
	mu     sync.Mutex
	of     map[string]*swap.BuiltIntent // by message
}

func (s *intents) keep(built *swap.BuiltIntent) (walletfi.Unsigned, error) {
	tx, err := signing.Decode(built.Transaction)
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[string(tx.Message())] = built
	return built.Unsigned(), nil
}

// Submit implements walletfi.Submitter. Only the process that was given an intent
// can submit it.
func (s *intents) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	sent, err := signing.Decode(tx.Transaction)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	built := s.of[string(sent.Message())]
	s.mu.Unlock()
	if built == nil {
		return "", errors.Join(walletfi.ErrNotSent, errNothing)
	}
	submitted, err := s.client.SubmitIntent(ctx, swap.SubmitIntentRequest{Transaction: tx.Transaction, Intent: built})
	if err != nil {
		return "", err
	}
	return submitted.OpenSignature, nil
}

// sponsoring is a relay that pays the fee and signs last: at once, late, or never.
type sponsoring struct{ *payer }

func (s sponsoring) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	if s.dead.Load() {
		return "", errDead
	}
	whole := s.countersign(tx)
	if s.asleep(whole.Signature) {
		return "", errors.New("no sponsor today")
	}
	send := func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		s.nodeOf().Submit(ctx, whole)
	}
	if s.struck("the sponsor signs late", .3) {
		time.AfterFunc(s.upTo(80*time.Second), send)
	} else {
		time.AfterFunc(0, send)
	}
	switch {
	case s.struck("the sponsor's answer is lost", .3):
		return "", errLostOnTheWay
	case s.struck("the sponsor does not answer", .1):
		<-ctx.Done()
		return "", ctx.Err()
	}
	return whole.Signature, nil
}

// asleep reports a transaction that the sponsor never signs.
func (g *httpRun) asleep(signature string) bool {
	g.books.Lock()
	defer g.books.Unlock()
	if _, known := g.shops[signature]; !known {
		g.shops[signature] = ""
		if g.struck("the sponsor never signs", .3) {
			g.shops[signature] = "never"
		}
	}
	return g.shops[signature] == "never"
}

// nodeOf is the sponsor's own node, which outlives the process.
func (g *httpRun) nodeOf() *rpcnode.Client {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(g.box.URL(sandbox.RPC)), HTTPClient: &http.Client{Transport: g.network}})
	if err != nil {
		panic(err)
	}
	return node
}

func (g *httpRun) countersign(tx walletfi.Signed) walletfi.Signed {
	sent, err := signing.Decode(tx.Transaction)
	if err != nil {
		panic(err)
	}
	if err := signing.SignUnchecked(context.Background(), sent, g.patron); err != nil {
		panic(err)
	}
	return sent.Signed()
}

func (g *httpRun) countersigned(tx walletfi.Signed) string { return g.countersign(tx).Signature }
