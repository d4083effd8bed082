package world_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/webhooks"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// scene makes what drawn requests hardly come to: for each thing that may happen later one
// that is planned, and one of each transaction that is built and not sent. Some of them fail
// after what was drawn before; all answer the same.
func (p *player) scene() {
	p.each((*world.World).ForgetFaults)
	p.fund()
	p.lend()
	p.lever()
	p.predict()
	p.signIn()
	account := p.member(p.post(play.SmartAccount, "/accounts", `{"name":"x","type":"personal"}`), "id")
	mandate := fmt.Sprintf(`"merchant":%q,"merchantName":"m","mint":%q,"frequency":"daily"`, p.wallet(), p.mint("USDC"))
	p.post(play.SmartAccount, "/accounts/"+account+"/subscriptions", `{`+mandate+`,"amount":"5"}`)
	p.post(play.SmartAccount, "/accounts/"+account+"/direct-debits", `{`+mandate+`,"maxAmount":"5"}`)
	hooks := "/webhooks/rest/v1/webhooks"
	for id := p.member(p.get(play.Webhooks, hooks), "id"); id != ""; id = p.member(p.get(play.Webhooks, hooks), "id") {
		p.ask(play.Webhooks, "DELETE", hooks+"/"+id, "") // it may have failed
	}
	p.hooked = true
	p.post(play.Webhooks, hooks+"/template/"+webhooks.LedgerWalletFilter,
		fmt.Sprintf(`{"name":"n","network":"n","templateArgs":{"addresses":[%q]},"destination_url":"https://a.example.com/"}`, p.wallet()))
	hook := p.member(p.get(play.Webhooks, hooks), "id")
	for _, body := range []string{"1", "2", "3", "4"} { // some of them are refused, and wait
		p.each(func(w *world.World) {
			require.NoError(p.t, w.Webhooks.DeliverBody(hook, []byte(body)))
			w.Settle(10 * time.Second)
		})
	}
	p.get(play.Swap, "/order?inputMint="+p.mint("SOL")+"&outputMint="+p.mint("USDC")+"&amount=5000000&userPublicKey="+p.wallet())
	deposit := p.post(play.Lending, worldtest.LendingDepositPath, p.lending("USDC", "deposit", "regular", 1_000_000))
	p.post(play.Lending, worldtest.LendingDepositPath, p.lending("USDC", "deposit", "regular", 2_000_000))
	p.submit(deposit)
	p.each(func(w *world.World) { w.Fault(w.Routes()[0], play.Fault{Status: 503, After: 1, Times: 2}) })
}

// fund gives the wallet enough for all of it.
func (p *player) fund() {
	p.each(func(w *world.World) {
		require.NoError(p.t, w.FundWallet(w.WalletAddress(), 1e12))
		require.NoError(p.t, w.FundToken(w.WalletAddress(), w.Token("USDC").Mint, 1e12))
		w.Advance(time.Second)
	})
}

func (p *player) wallet() string { return p.first().WalletAddress() }

func (p *player) mint(symbol string) string { return p.first().Token(symbol).Mint }

// post makes a request and decodes its answer.
func (p *player) post(service play.Service, path, body string) (answer any) {
	p.t.Helper()
	if json.Unmarshal(p.ask(service, "POST", path, body), &answer) != nil {
		return nil
	}
	return answer
}

func (p *player) get(service play.Service, path string) (answer any) {
	p.t.Helper()
	if json.Unmarshal(p.ask(service, "GET", path, ""), &answer) != nil {
		return nil
	}
	return answer
}

// member finds the first text under a name in an answer.
func (p *player) member(answer any, name string) (text string) {
	switch v := answer.(type) {
	case map[string]any:
		if text, _ = v[name].(string); text != "" {
			return text
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if text = p.member(v[key], name); text != "" {
				return text
			}
		}
	case []any:
		for _, inner := range v {
			if text = p.member(inner, name); text != "" {
				return text
			}
		}
	}
	return ""
}

// sent signs and sends the transaction of an answer, if there is one, and lets it be confirmed.
func (p *player) sent(answer any) {
	p.t.Helper()
	p.submit(answer)
	p.each(func(w *world.World) { w.Advance(2 * time.Second) })
}

// submit signs and sends the transaction of an answer, if there is one.
func (p *player) submit(answer any) {
	p.t.Helper()
	if built := p.member(answer, "transaction"); built != "" {
		signed := base64.StdEncoding.EncodeToString(worldtest.Sign(p.t, built, p.first().Wallet()))
		p.rpc("sendTransaction", fmt.Sprintf(`%q,{"encoding":"base64","preflightCommitment":"confirmed"}`, signed))
	}
}

func (p *player) lending(symbol, verb, kind string, amount int) string {
	return fmt.Sprintf(`{"owner":%q,"mintAddress":%q,"%sType":%q,"amount":%d}`, p.wallet(), p.mint(symbol), verb, kind, amount)
}

// lend has a withdrawal that has cooled down, one that cools down, and one at once.
func (p *player) lend() {
	deposit, withdraw := worldtest.LendingDepositPath, worldtest.LendingWithdrawPath
	p.sent(p.post(play.Lending, deposit, p.lending("USDC", "deposit", "boosted", 9_000_000)))
	p.sent(p.post(play.Lending, withdraw, p.lending("USDC", "withdraw", "boosted", 2_000_000)))
	p.each(func(w *world.World) { w.Advance(49 * time.Hour) })
	p.sent(p.post(play.Lending, deposit, p.lending("SOL", "deposit", "boosted", 9_000_000)))
	p.sent(p.post(play.Lending, withdraw, p.lending("SOL", "withdraw", "boosted", 2_000_000)))
	p.post(play.Lending, withdraw, p.lending("USDC", "withdraw", "boosted", 1_000_000))
	p.sent(p.post(play.Lending, deposit, p.lending("USDT", "deposit", "regular", 9_000_000)))
	p.sent(p.post(play.Lending, deposit, p.lending("USDC", "deposit", "regular", 9_000_000)))
	p.post(play.Lending, withdraw, p.lending("USDC", "withdraw", "regular", 1_000_000))
	p.sent(p.post(play.Lending, "/v1/referrer/initialize", fmt.Sprintf(`{"referrer":%q}`, p.wallet())))
	p.post(play.Lending, "/v1/referrer/claim", fmt.Sprintf(`{"referrer":%q}`, p.wallet()))
}

// lever opens two positions and has each change of one built.
func (p *player) lever() {
	offers, _ := p.get(play.Leverage, "/api/v1/offers").([]any)
	if len(offers) == 0 {
		return // a fault was drawn
	}
	open := fmt.Sprintf(`{"offerPublicKey":%q,"userPublicKey":%q,"collateralAmount":"20000000","leverage":2}`,
		p.member(offers[0], "address"), p.wallet())
	for range 2 {
		p.sent(p.post(play.Leverage, "/api/v1/positions/open", open))
	}
	p.post(play.Leverage, "/api/v1/positions/open", open)
	var found []string
	positions, _ := json.Marshal(p.get(play.Leverage, "/api/v1/positions?owner="+p.wallet()))
	for _, name := range []string{"positionAddress", "address"} {
		for part := range strings.SplitSeq(string(positions), `"`+name+`":"`) {
			if address, _, ok := strings.Cut(part, `"`); ok && len(address) > 40 && len(address) < 45 && address != p.member(offers[0], "address") {
				found = append(found, address)
			}
		}
	}
	if len(found) < 2 {
		return
	}
	mine := fmt.Sprintf(`"positionAddress":%q,"userPublicKey":%q`, found[0], p.wallet())
	for _, change := range []string{
		"close {" + mine + "}", "repay {" + mine + "}", "partial-repay {" + mine + `,"repaymentBps":1000}`,
		"increase-borrow {" + mine + `,"additionalBorrowAmount":"1000000","mode":"withdraw"}`,
		"add-collateral {" + mine + `,"collateralAmount":"1000000"}`, "split {" + mine + `,"splitRatioBps":3000}`,
		fmt.Sprintf(`merge {"firstPositionAddress":%q,"secondPositionAddress":%q,"userPublicKey":%q}`, found[0], found[1], p.wallet()),
	} {
		path, body, _ := strings.Cut(change, " ")
		p.post(play.Leverage, "/api/v1/positions/"+path, body)
	}
}

// predict opens an order that a market's book fills.
func (p *player) predict() {
	yes := ""
	p.each(func(w *world.World) {
		w.Locked(func() { _, _, yes, _, _ = w.PredictMeta.LiveMarket() })
	})
	p.get(play.Swap, "/prediction-market-init?marketMint="+yes+"&userPublicKey="+p.wallet())
	p.sent(p.get(play.Swap, "/order?inputMint="+p.mint("USDC")+"&outputMint="+yes+"&amount=5000000&userPublicKey="+p.wallet()))
	p.get(play.Swap, "/order?inputMint="+p.mint("USDC")+"&outputMint="+yes+"&amount=5000000&userPublicKey="+p.wallet())
}
