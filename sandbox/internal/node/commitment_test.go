package node_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

var levels = []string{"processed", "confirmed", "finalized"}

// TestCommitments looks at one payment until it is final: no method tells of it at a
// commitment before its slot has that commitment.
func TestCommitments(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{Nodes: []play.Node{{}, {Lag: 3}}}})
	to, from := s.named("to"), s.WalletAddress()
	usdc := s.Token("USDC").Account(build.PublicKey(s.Wallet())).String()
	signature := s.paid(t, to, 5_000_000)
	fresh := s.ok(t, 0, "getLatestBlockhash", at("processed")).Text("value", "blockhash")
	s.Advance(slots(2)) // it lands in this slot
	after := s.ok(t, 0, "getLatestBlockhash", at("processed")).Text("value", "blockhash")
	for _, slot := range []int{2, 3, 4, 5, 6, 33, 34, 35, 36, 37, 38} {
		s.Advance(slots(slot) - s.Time().Sub(s.Start))
		for _, test := range []struct {
			method  string
			params  []any
			seen    func(answer) bool
			from    int // the slot, counted from the first, in which it becomes true
			settled bool
		}{
			{"getBalance", []any{to}, func(a answer) bool { return a.Text("value") == "5000000" }, 2, false},
			{"getBalance", []any{from}, func(a answer) bool { return a.Text("value") == "99994995000" }, 2, false},
			{"getAccountInfo", []any{to}, func(a answer) bool { return a.At("value") != nil }, 2, false},
			{"getMultipleAccounts", []any{[]string{from, to}}, func(a answer) bool { return a.At("value", 1) != nil }, 2, false},
			{"getSignaturesForAddress", []any{to}, func(a answer) bool { return len(a.JSON.([]any)) == 1 }, 2, true},
			{"getTransaction", []any{signature}, func(a answer) bool { return a.JSON != nil }, 2, true},
			{"isBlockhashValid", []any{fresh}, func(a answer) bool { return a.At("value") == true }, 0, false},
			{"isBlockhashValid", []any{after}, func(a answer) bool { return a.At("value") == true }, 2, false},
			{"getProgramAccounts", []any{solana.SystemProgramID, object{"withContext": true, "filters": []any{object{"dataSize": 0}}}}, func(a answer) bool {
				return strings.Contains(string(kit.MustJSON(a.JSON)), to)
			}, 2, false},
			{"getLargestAccounts", []any{}, func(a answer) bool {
				return strings.Contains(string(kit.MustJSON(a.JSON)), "99994995000")
			}, 2, false},
			{"getTokenAccountBalance", []any{usdc}, func(a answer) bool { return a.At("value") != nil }, -99, false},
		} {
			settles(t, s, test.method, test.params, test.from, test.settled, test.seen)
		}
	}
}

// committed adds a commitment to the config of a method's parameters, which come with or without one.
func committed(params []any, commitment string) []any {
	config := at(commitment)
	if n := len(params); n > 0 {
		if last, ok := params[n-1].(object); ok {
			maps.Copy(config, last)
			params = params[:n-1]
		}
	}
	return append(params[:len(params):len(params)], config)
}

// settles checks a fact of a slot at every commitment and node.
func settles(t *testing.T, s *started, method string, params []any, from int, settled bool, seen func(answer) bool) {
	t.Helper()
	now := int(s.View().Slot() - first)
	for node, lag := range []int{0, 3} {
		for i, depth := range []int{0, 1, 32} {
			a, code := s.ask(t, node, method, committed(params, levels[i])...)
			if settled && levels[i] == "processed" {
				assert.Equal(t, "-32602", code, method)
				continue
			}
			require.Empty(t, code, method)
			assert.Equal(t, now-lag-depth >= from, seen(a), "%s, slot %d, %s, node %d", method, now, levels[i], node)
			if slot := a.Text("context", "slot"); slot != "" {
				assert.Equal(t, strconv.Itoa(first+now-lag-depth), slot, method)
			}
		}
	}
}

// TestBalancesAsTheyWere pays in every slot and asks every node for what it knows.
func TestBalancesAsTheyWere(t *testing.T) {
	nodes := []play.Node{{}, {Lag: 30}, {Lag: 61}}
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{SkipEvery: 2, Nodes: nodes}})
	to := s.named("to")
	was := map[string]uint64{}
	for i := range 160 {
		s.paid(t, to, uint64(1_000_000+i))
		s.Advance(slots(1))
		was[strconv.FormatUint(s.View().Slot(), 10)] = s.View().Balance(to)
		if i < 100 || i%3 != 0 {
			continue
		}
		for node := range nodes {
			for _, commitment := range levels {
				got := s.ok(t, node, "getBalance", to, at(commitment))
				assert.Equal(t, strconv.FormatUint(was[got.Text("context", "slot")], 10), got.Text("value"))
			}
		}
	}
}

// TestTokensAsTheyWere moves tokens, which opens an account.
func TestTokensAsTheyWere(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	usdc, owner := s.Token("USDC"), build.PublicKey(s.Wallet())
	to := solana.MustPublicKeyFromBase58(s.named("to"))
	s.land(t, build.CreateAccount(owner, to, usdc))
	list := func(commitment string) int {
		config := object{"encoding": "base64", "commitment": commitment}
		a := s.ok(t, 0, "getTokenAccountsByOwner", to, object{"mint": usdc.Key}, config)
		return len(a.At("value").([]any))
	}
	_, code := s.ask(t, 0, "getTokenAccountBalance", usdc.Account(to))
	assert.Equal(t, "-32602", code, "not finalized")
	assert.Equal(t, []int{1, 0, 0}, []int{list("processed"), list("confirmed"), list("finalized")})
	s.Advance(slots(32))
	assert.Equal(t, []int{1, 1, 1}, []int{list("processed"), list("confirmed"), list("finalized")})
	assert.Equal(t, "0", s.ok(t, 0, "getTokenAccountBalance", usdc.Account(to)).Text("value", "amount"))
}

// land executes instructions of the funded wallet's.
func (s *started) land(t *testing.T, instructions ...solana.Instruction) {
	t.Helper()
	s.Lock()
	defer s.Unlock()
	hash, _ := s.Blockhash(0)
	tx, err := solana.NewTransaction(instructions, hash, solana.TransactionPayer(build.PublicKey(s.Wallet())))
	require.NoError(t, err)
	_, err = tx.Sign(func(k solana.PublicKey) *solana.PrivateKey {
		if k == build.PublicKey(s.Keypair("nonce")) {
			return new(solana.PrivateKey(s.Keypair("nonce")))
		}
		return new(solana.PrivateKey(s.Wallet()))
	})
	require.NoError(t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(t, err)
	r, err := s.Submit(raw)
	require.NoError(t, err)
	require.Nil(t, r.Err, "%v", r.Logs)
}

// TestNonceAsItWas advances a nonce: at finalized it keeps its value until that is
// final, and closed it is still there.
func TestNonceAsItWas(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner, nonce := build.PublicKey(s.Wallet()), build.PublicKey(s.Keypair("nonce"))
	rent, hashes, rents := ledger.Rent(80), solana.SysVarRecentBlockHashesPubkey, solana.SysVarRentPubkey
	s.land(t, system.NewCreateAccountInstruction(rent, 80, solana.SystemProgramID, owner, nonce).Build(),
		system.NewInitializeNonceAccountInstruction(owner, nonce, hashes, rents).Build())
	s.Advance(slots(32))
	value := func(commitment string) string {
		a := s.ok(t, 0, "getAccountInfo", nonce, object{"encoding": "base64", "commitment": commitment})
		if a.At("value") == nil {
			return ""
		}
		raw, err := base64.StdEncoding.DecodeString(a.Text("value", "data", 0))
		require.NoError(t, err)
		return solana.HashFromBytes(raw[40:72]).String()
	}
	old := value("finalized")
	require.NotEmpty(t, old)
	s.land(t, system.NewAdvanceNonceAccountInstruction(nonce, hashes, owner).Build())
	next := value("processed")
	assert.NotEqual(t, old, next)
	assert.Equal(t, []string{old, old}, []string{value("confirmed"), value("finalized")})
	s.Advance(slots(31))
	assert.Equal(t, []string{next, old}, []string{value("confirmed"), value("finalized")})
	s.Advance(slots(1))
	assert.Equal(t, next, value("finalized"))
	s.land(t, system.NewWithdrawNonceAccountInstruction(rent, nonce, owner, hashes, rents, owner).Build())
	assert.Equal(t, []string{"", next, next}, []string{value("processed"), value("confirmed"), value("finalized")})
}

// TestBlockhashValidity asks about one blockhash as it ages: a bank takes the 151
// newest, and knows of none that is newer than itself.
func TestBlockhashValidity(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{Nodes: []play.Node{{}, {Lag: 30}}}})
	made := s.ok(t, 0, "getLatestBlockhash", at("processed"))
	last, err := made.At("value", "lastValidBlockHeight").(json.Number).Int64()
	require.NoError(t, err)
	for _, age := range []int{0, 1, 29, 30, 31, 32, 61, 62, 149, 150, 151, 152, 180, 181, 182, 183, 212, 213} {
		s.Advance(slots(age) - s.Time().Sub(s.Start))
		for node, lag := range []int{0, 30} {
			for i, depth := range []int{0, 1, 32} {
				config := at(levels[i])
				seen := age - lag - depth // how old it is there
				got := s.ok(t, node, "isBlockhashValid", made.Text("value", "blockhash"), config)
				assert.Equal(t, seen >= 0 && seen <= 150, got.At("value"), "%d slots, node %d, %s", age, node, levels[i])
				height, err := s.ok(t, node, "getBlockHeight", config).JSON.(json.Number).Int64()
				require.NoError(t, err)
				assert.Equal(t, seen >= 0 && height <= last, got.At("value"))
			}
		}
	}
}

// TestLastLanding sends the same bytes at the end of their time.
func TestLastLanding(t *testing.T) {
	for age, landed := range map[int]bool{150: true, 151: true, 152: false} {
		s := start(t, play.Config{ManualClock: true})
		tx := s.payment(t, build.PublicKey(s.Keypair("to")), 5_000_000)
		s.Advance(slots(age))
		s.send(t, tx)
		assert.Equal(t, landed, s.View().TransactionStatus(tx.Signatures[0].String()).Found, age)
	}
}

// TestSimulatesOnTheBankAsked funds a payer in one slot: a bank before it knows neither the payer
// nor the slot's blockhash, and shows the payee without the payment.
func TestSimulatesOnTheBankAsked(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{Nodes: []play.Node{{}, {Lag: 3}}}})
	old := s.blockhash(t, "finalized") // one that all banks know in slot 5
	s.Advance(slots(5))
	payer, to := s.Keypair("payer"), s.named("to")
	s.land(t, system.NewTransferInstruction(50_000_000, build.PublicKey(s.Wallet()), build.PublicKey(payer)).Build())
	fresh := s.blockhash(t, "processed")
	encoded := map[string]string{}
	for name, hash := range map[string]solana.Hash{"old": old, "fresh": fresh} {
		encoded[name] = transfer(t, payer, solana.MustPublicKeyFromBase58(to), 5_000_000, hash)
	}
	for _, age := range []int{0, 1, 2, 3, 4, 31, 32, 34, 35} {
		s.Advance(slots(5+age) - s.Time().Sub(s.Start))
		for node, lag := range []int{0, 3} {
			for i, depth := range []int{0, 1, 32} {
				seen := age >= lag+depth
				for name, without := range map[string]string{"old": "AccountNotFound", "fresh": "BlockhashNotFound"} {
					want := map[bool]string{true: "", false: without}[seen]
					s.simulates(t, node, levels[i], encoded[name], want, to)
				}
			}
		}
	}
}

func (s *started) blockhash(t *testing.T, commitment string) solana.Hash {
	t.Helper()
	return solana.MustHashFromBase58(s.ok(t, 0, "getLatestBlockhash", at(commitment)).Text("value", "blockhash"))
}

// transfer is a signed payment in base64.
func transfer(t *testing.T, from ed25519.PrivateKey, to solana.PublicKey, lamports uint64, hash solana.Hash) string {
	t.Helper()
	payer := build.PublicKey(from)
	tx, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(lamports, payer, to).Build()},
		hash, solana.TransactionPayer(payer))
	require.NoError(t, err)
	_, err = tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return new(solana.PrivateKey(from)) })
	require.NoError(t, err)
	return tx.MustToBase64()
}

// simulates has a payment simulated, alone and in a bundle, and refused by a preflight.
func (s *started) simulates(t *testing.T, node int, commitment, encoded, want, to string) {
	t.Helper()
	accounts := object{"encoding": "base64", "addresses": []string{to}}
	alone := s.ok(t, node, "simulateTransaction", encoded,
		object{"encoding": "base64", "commitment": commitment, "accounts": accounts})
	bundle := s.ok(t, node, "simulateBundle", object{"encodedTransactions": []string{encoded}}, object{
		"simulationBank":              object{"commitment": at(commitment)},
		"preExecutionAccountsConfigs": []any{accounts}, "postExecutionAccountsConfigs": []any{accounts},
	})
	assert.Equal(t, alone.Text("context", "slot"), bundle.Text("context", "slot"))
	results := bundle.At("value", "transactionResults").([]any)
	require.Len(t, results, 1)
	inBundle := answer{JSON: results[0]}
	if want == "" {
		assert.Nil(t, alone.At("value", "err"), "%s of node %d", commitment, node)
		assert.Nil(t, inBundle.At("err"), "%s of node %d", commitment, node)
		assert.Equal(t, "5000000", alone.Text("value", "accounts", 0, "lamports"))
		assert.Equal(t, "0", inBundle.Text("preExecutionAccounts", 0, "lamports"))
		assert.Equal(t, "5000000", inBundle.Text("postExecutionAccounts", 0, "lamports"))
		return
	}
	assert.Equal(t, want, alone.Text("value", "err"), "%s of node %d", commitment, node)
	assert.Equal(t, want, inBundle.Text("err"), "%s of node %d", commitment, node)
	sent, code := s.ask(t, node, "sendTransaction", encoded,
		object{"encoding": "base64", "preflightCommitment": commitment})
	assert.Equal(t, "-32002", code)
	assert.Equal(t, want, sent.Text("data", "err"), "%s of node %d", commitment, node)
}

// TestBundleBanks names each bank that there is, and some that there are not.
func TestBundleBanks(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{SkipEvery: 10}})
	s.Advance(slots(45))
	encoded := transfer(t, s.Wallet(), solana.MustPublicKeyFromBase58(s.named("to")), 5_000_000, s.blockhash(t, "finalized"))
	ask := func(bank any) (answer, string) {
		return s.ask(t, 0, "simulateBundle", object{"encodedTransactions": []string{encoded}}, object{
			"preExecutionAccountsConfigs": []any{nil}, "postExecutionAccountsConfigs": []any{nil}, "simulationBank": bank,
		})
	}
	for _, test := range []struct {
		bank any
		slot int
	}{
		{nil, 44}, {"tip", 45}, {object{"slot": first + 21}, 21}, {object{"slot": first + 45}, 45},
		{object{"commitment": at("processed")}, 45}, {object{"commitment": at("finalized")}, 13},
	} {
		got, code := ask(test.bank)
		require.Empty(t, code, "%v: %s", test.bank, got.Text("message"))
		assert.Equal(t, strconv.Itoa(first+test.slot), got.Text("context", "slot"), test.bank)
	}
	for _, bank := range []any{
		"Tip", "finalized", 7, object{}, object{"slot": -1}, object{"slot": first + 46}, object{"slot": first + 12},
		object{"slot": first + 40}, object{"commitment": at("Confirmed")}, object{"commitment": "confirmed"},
	} {
		_, code := ask(bank)
		assert.Equal(t, "-32602", code, bank)
	}
}

// TestPreflightForgetsWhatIsNewer sends a payment twice: only a bank that has it refuses the second.
func TestPreflightForgetsWhatIsNewer(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	to := s.named("to")
	encoded := transfer(t, s.Wallet(), solana.MustPublicKeyFromBase58(to), 5_000_000, s.blockhash(t, "finalized"))
	send := func(config object) string {
		config["encoding"] = "base64"
		a, _ := s.ask(t, 0, "sendTransaction", encoded, config)
		if _, sent := a.JSON.(string); sent {
			return ""
		}
		return a.Text("data", "err")
	}
	assert.Empty(t, send(object{}))
	assert.Equal(t, "AlreadyProcessed", send(object{"preflightCommitment": "processed"}))
	assert.Empty(t, send(object{"preflightCommitment": "confirmed"}))
	assert.Empty(t, send(object{"preflightCommitment": nil}))
	s.Advance(slots(1))
	assert.Equal(t, "AlreadyProcessed", send(object{"preflightCommitment": "confirmed"}))
	assert.Empty(t, send(object{}))
	s.Advance(slots(31))
	assert.Equal(t, "AlreadyProcessed", send(object{}))
	assert.EqualValues(t, 5_000_000, s.View().Balance(to), "once")
	_, code := s.ask(t, 0, "sendTransaction", encoded, object{"encoding": "base64", "preflightCommitment": "Processed"})
	assert.Equal(t, "-32602", code)
}
