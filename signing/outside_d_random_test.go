package signing_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// wealth is all that the owner has on a ledger, in lamports and tokens, and that others do not control.
func wealth(a accs) (sol uint64, tokens map[pk]uint64) {
	us := []pk{xOwner, dVault}
	tokens = map[pk]uint64{}
	sol = uint64(a[xOwner].Lamports + a[dVault].Lamports)
	for _, s := range a {
		if len(s.Data) < 165 || !slices.Contains(us, pk(s.Data[32:64])) || s.Data[108] == 2 {
			continue
		}
		if s.Data[129] == 1 && !slices.Contains(us, pk(s.Data[133:165])) {
			continue
		}
		mint, n := pk(s.Data[:32]), amountOf(s)
		if s.Data[72] == 1 {
			n -= min(n, binary.LittleEndian.Uint64(s.Data[121:]))
		}
		if mint == dSOL {
			sol += uint64(s.Lamports) - (amountOf(s) - n)
			continue
		}
		sol += min(uint64(s.Lamports), 6960*uint64(128+len(s.Data))) // what is beyond, the mint's authority can keep
		tokens[mint] += n
	}
	return sol, tokens
}

type roller struct {
	*rand.Rand
	l     *ledger
	calls []ins
}

func (r *roller) pick(of ...pk) pk { return of[r.IntN(len(of))] }

// may is who may move an account's tokens now.
func (r *roller) may(k pk) pk {
	s := r.l.accs[k]
	if len(s.Data) < 165 {
		return pk{}
	}
	if s.Data[72] == 1 && r.IntN(2) == 0 {
		return pk(s.Data[76:108])
	}
	return pk(s.Data[32:64])
}

func (r *roller) amount(k pk) uint64 {
	s := r.l.accs[k]
	if len(s.Data) < 165 {
		return 0
	}
	return []uint64{0, 1, 5, 77, 500, amountOf(s), amountOf(s) / 2}[r.IntN(7)]
}

// roll adds a call that its signers could make.
func (r *roller) roll() {
	groups := []struct {
		tok  txbuild.Token
		mint pk
		all  []pk
	}{
		{xTok, xUSDC, []pk{xMyUSDC, dPoolUSDC, xThUSDC}}, {xTok, xJUP, []pk{xMyJUP, dPoolJUP, dThJUP, dVaultJUP}},
		{xT22, xBONK, []pk{xMyBONK, dPoolBONK, dThBONK}}, {xTok, dSOL, []pk{xMyWSOL, dPoolWSOL, dThWSOL}},
	}
	g := groups[r.IntN(len(groups))]
	from, to := r.pick(g.all...), r.pick(g.all...)
	aux := r.l.accs[dAux]
	if len(aux.Data) == 165 && pk(aux.Data[:32]) == g.mint && aux.Owner == g.tok.Program {
		if r.IntN(2) == 0 {
			from = dAux
		} else {
			to = dAux
		}
	}
	by := r.may(from)
	var next []ins
	wallets := []pk{xOwner, xThief, dPool, dVault}
	some := []uint64{1, 5000, xRent, 3_000_000_000, 500_000_000}[r.IntN(5)]
	switch r.IntN(14) {
	case 0, 1, 2, 3:
		next = []ins{g.tok.TransferChecked(from, g.mint, to, by, r.amount(from), 6)}
	case 4:
		next = []ins{g.tok.Transfer(from, to, by, r.amount(from))}
	case 5:
		next = []ins{g.tok.Approve(from, r.pick(xThief, dPool, xFriend), by, r.amount(from))}
	case 6:
		next = []ins{g.tok.Revoke(from, by)}
	case 7:
		next = []ins{txbuild.Transfer(r.pick(wallets...), r.pick(append(wallets, xMyWSOL, dAux, xMyJUP)...), some)}
	case 8:
		next = []ins{
			txbuild.CreateAccount(r.pick(wallets...), dAux, xRent+some*uint64(r.IntN(2)), 165, pk(g.tok.Program)),
			g.tok.InitializeAccount3(dAux, g.mint, r.pick(wallets...)),
		}
	case 9:
		next = []ins{g.tok.Close(from, r.pick(wallets...), by)}
	case 10:
		next = []ins{xTok.SyncNative(xMyWSOL)}
	case 11:
		next = []ins{g.tok.SetAuthority(from, by, byte(2+r.IntN(2)), r.pick(xThief, xOwner))}
	case 12:
		next = []ins{g.tok.Burn(from, g.mint, by, r.amount(from))}
	case 13:
		next = []ins{g.tok.Freeze(from, g.mint, xThief)}
	}
	trial := &ledger{accs: maps.Clone(r.l.accs)}
	for _, i := range next {
		if !possible(trial, i) {
			return
		}
		trial.do(i)
		if trial.err != nil {
			return
		}
	}
	r.l, r.calls = trial, append(r.calls, next...)
}

// possible says whether the programs would let it pass.
func possible(l *ledger, i ins) bool {
	k := i.Accounts[0].Key
	s := l.accs[k]
	if pk(i.Program) == signing.SystemProgram {
		create := binary.LittleEndian.Uint32(i.Data) == 0
		made := l.accs[i.Accounts[1].Key]
		return len(s.Data) == 0 && (!create || made.Lamports == 0 && made.Data == nil)
	}
	if i.Data[0] == 18 {
		return true
	}
	if len(s.Data) < 165 || pk(s.Owner) != pk(i.Program) || s.Data[108] != 1 {
		return false
	}
	native := pk(s.Data[:32]) == dSOL
	by := i.Accounts[len(i.Accounts)-1].Key
	switch i.Data[0] {
	case 3, 12:
		to := l.accs[i.Accounts[map[byte]int{3: 1, 12: 2}[i.Data[0]]].Key]
		if len(to.Data) < 165 || to.Data[108] != 1 || pk(to.Data[:32]) != pk(s.Data[:32]) {
			return false
		}
		n := binary.LittleEndian.Uint64(i.Data[1:])
		return by == pk(s.Data[32:64]) || n <= binary.LittleEndian.Uint64(s.Data[121:])
	case 8:
		n := binary.LittleEndian.Uint64(i.Data[1:])
		return !native && (by == pk(s.Data[32:64]) || n <= binary.LittleEndian.Uint64(s.Data[121:]))
	case 9:
		closer := pk(s.Data[32:64])
		if s.Data[129] == 1 {
			closer = pk(s.Data[133:165])
		}
		return by == closer && (native || amountOf(s) == 0) && k != i.Accounts[1].Key
	case 6:
		if i.Data[1] == 3 && s.Data[129] == 1 {
			return by == pk(s.Data[133:165])
		}
		return by == pk(s.Data[32:64])
	case 10:
		return !native
	case 17:
		return native && s.Lamports >= xRent
	}
	return by == pk(s.Data[32:64])
}

func rolls(n int) int {
	if more, err := strconv.Atoi(os.Getenv("OUT_ROUNDS")); err == nil {
		return more
	}
	return n
}

func rollSeed() uint64 {
	if n, err := strconv.Atoi(os.Getenv("OUT_SEED")); err == nil {
		return uint64(n)
	}
	return 26
}

// lossOf says what was lost beyond the swap's limits, "" for nothing.
func lossOf(start, end accs) (problem string) {
	before, beforeTokens := wealth(start)
	after, tokens := wealth(end)
	if before > after+30_000_000 {
		problem += fmt.Sprintf("lost %d lamports; ", before-after)
	}
	for mint, n := range beforeTokens {
		most := map[pk]uint64{xUSDC: 500}[mint]
		if n > tokens[mint]+most {
			problem += fmt.Sprintf("lost %d of %s; ", n-tokens[mint], mint)
		}
	}
	if tokens[xBONK] < beforeTokens[xBONK]+5 {
		problem += "BONK is missing; "
	}
	return problem
}

// TestOutsideDRandom: random calls of a pinned program, held against what is ours before and after.
func TestOutsideDRandom(t *testing.T) {
	rounds, seed := rolls(25), rollSeed()
	signed, seen := map[string]int{}, map[string]bool{}
	for round := range rounds {
		r := &roller{Rand: rand.New(rand.NewPCG(seed, uint64(round)))}
		more := accs{xMyWSOL: dWSOL(xOwner, 200_000_000), dVault: solNow(7_000_000_000), dVaultJUP: dJUP(dVault, 60)}
		if r.IntN(3) == 0 {
			more[dAux] = state{}
		} else if r.IntN(2) == 0 {
			more[dAux] = dJUP(xOwner, 40)
		}
		r.l = &ledger{accs: world(more)}
		if r.IntN(4) > 0 {
			r.calls = swaps()
			for _, i := range r.calls {
				r.l.do(i)
			}
		}
		for range 1 + r.IntN(4) {
			r.roll()
		}
		w := trial{name: fmt.Sprint("random ", round), intent: dSwap, inner: r.calls, start: more,
			policy: policies(listed(dVault, pk{}))}
		problem := lossOf(world(more), r.l.accs)
		for _, a := range w.attempts() {
			ok, _, err := a.run(t.Context())
			if err != nil && !strings.Contains(err.Error(), "refused") {
				t.Fatalf("%v: %v", a.name, err)
			}
			mode := a.name[strings.Index(a.name, ", ")+2:]
			if ok {
				signed[mode]++
			}
			if !ok && problem == "" && os.Getenv("OUT_HONEST") != "" && !seen[mode+err.Error()[:80]] {
				seen[mode+err.Error()[:80]] = true
				t.Logf("REFUSED %s: %v\n%s", a.name, err, say(r.calls))
			}
			if ok && problem != "" {
				t.Errorf("SIGNED %s: %s\n%s", a.name, problem, say(r.calls))
			}
		}
	}
	for _, m := range dModes {
		require.NotZero(t, signed[m], m)
	}
	t.Log(signed)
}

func say(calls []ins) string {
	names := map[pk]string{xOwner: "owner", xThief: "thief", dPool: "pool", xFriend: "friend", dVault: "vault",
		dVaultJUP: "vaultJUP", xMyUSDC: "myUSDC",
		xMyJUP: "myJUP", xMyBONK: "myBONK", xMyWSOL: "myWSOL", dPoolUSDC: "poolUSDC", dPoolJUP: "poolJUP",
		dPoolBONK: "poolBONK", dPoolWSOL: "poolWSOL", xThUSDC: "thUSDC", dThJUP: "thJUP", dThBONK: "thBONK",
		dThWSOL: "thWSOL", dAux: "aux", xUSDC: "USDC", xJUP: "JUP", xBONK: "BONK", dSOL: "wSOL"}
	var b strings.Builder
	for _, i := range calls {
		fmt.Fprintf(&b, "  %s %x", signing.ProgramName(i.Program)[:5], i.Data[:min(len(i.Data), 12)])
		for _, a := range i.Accounts {
			n := names[a.Key]
			if n == "" {
				n = pk(a.Key).String()[:4]
			}
			b.WriteString(" " + n)
		}
		b.WriteString("\n")
	}
	return b.String()
}
