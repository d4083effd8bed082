package world

import (
	"testing"
	"time"
)

// TestLiars asks each kind of liar about transactions that executed, one that
// did not and never will, and strangers, and checks what it lies about and
// that the rest is true.
func TestLiars(t *testing.T) {
	for _, kind := range Liars() {
		if kind == LiarChangeable {
			continue
		}
		t.Run(kind.String(), func(t *testing.T) {
			cfg := Config{Seed: 4, Nodes: []NodeConfig{{Liar: kind}, {}}, TraceLines: 10}
			cfg.Cluster.SkipRate = 0.1
			inBubble(t, cfg, func(t *testing.T, w *World) {
				p := interview(t, w, newClient(t, w, "rpc0"), newClient(t, w, "rpc1"))
				want := expected[kind]
				want.stranger = want.stranger || kind != LiarNull
				if want == (testimony{stranger: true}) {
					t.Fatal("nothing is expected of this liar")
				}
				if p != want {
					t.Errorf("got %+v, want %+v", p, want)
				}
				if w.Endpoint("rpc0").Honest() || !w.Endpoint("rpc1").Honest() {
					t.Error("Honest")
				}
			})
		})
	}
}

// testimony is what differs from an honest node's.
type testimony struct {
	landedNull, deadFinal, deadFailed bool // statuses of ours
	stranger                          bool // a stranger is finalized
	head                              bool // slot or height
	invalid, short                    bool
	future                            bool // there is a block in the future
	nonce                             bool
	skipped                           bool // there is a block in a skipped slot
	swallowed                         bool
	genesis                           bool
	early                             bool // a context slot before the blockhash's block
}

var expected = map[Liar]testimony{
	LiarNull:    {landedNull: true},
	LiarOurs:    {landedNull: true},
	LiarSuccess: {deadFinal: true},
	LiarFailure: {deadFinal: true, deadFailed: true},
	LiarFinal:   {deadFinal: true},
	LiarAhead:   {head: true},
	LiarHeight:  {head: true, short: true},
	LiarInvalid: {invalid: true},
	LiarShort:   {short: true},
	LiarFuture:  {landedNull: true, head: true, future: true, invalid: true},
	LiarFrozen:  {landedNull: true},
	LiarNonce:   {nonce: true},
	LiarWitness: {landedNull: true, skipped: true},
	LiarSwallow: {landedNull: true, swallowed: true},
	LiarGenesis: {genesis: true},
	LiarEarly:   {early: true, short: true},
}

func interview(t *testing.T, w *World, liar, honest *client) testimony {
	owner, nonce := newSigner(1), Key{77}
	w.Fund(owner.key, sol)
	value := w.AddNonce(nonce, owner.key)
	time.Sleep(10 * time.Second)
	hash, _ := honest.blockhash("finalized")
	landed := honest.send(payment(hash, owner, Key{9}, 1))
	time.Sleep(10 * time.Second)
	var p testimony
	told := func(c *client, s Signature) *status { return c.statuses(s).Value[0] }
	p.landedNull = told(liar, landed) == nil

	dead := payment(Hash{}, owner, Key{9}, 2)
	liar.send(dead)
	if kind := w.nodes[0].cfg.Liar; kind == LiarFinal {
		p.deadFinal = told(liar, landed).ConfirmationStatus == "finalized"
	} else if st := told(liar, signatureIn(dead)); st != nil {
		p.deadFinal = st.ConfirmationStatus == "finalized"
		p.deadFailed = st.Err != nil
	}
	final, _ := w.Finalized()
	w.enter()
	final = w.chain.lastMain(final - 100).slot
	stranger := w.chain.strangerSignature(final, 0)
	w.mu.Unlock()
	if st := told(liar, stranger); st != nil {
		p.stranger = st.ConfirmationStatus == "finalized" && st.Slot == final
	}
	var info, truth struct{ AbsoluteSlot, BlockHeight uint64 }
	liar.call(&info, "getEpochInfo")
	honest.call(&truth, "getEpochInfo")
	p.head = info != truth
	fresh, last := liar.blockhash("confirmed")
	slot, _ := w.chain.slotOf(fresh)
	height, _ := w.Height(slot)
	p.early = last.Context.Slot < slot
	p.short = last.Value.LastValidBlockHeight != height+150
	var valid struct{ Value bool }
	liar.call(&valid, "isBlockhashValid", fresh.String(), object{"commitment": "confirmed"})
	p.invalid = !valid.Value
	none := object{"transactionDetails": "none"}
	p.future = liar.code("getBlock", final+300, none) == 0 || liar.code("getBlock", final+301, none) == 0
	seen, _ := liar.nonceValue(nonce, "finalized")
	p.nonce = seen != value
	p.skipped = blockInSkipped(w, liar)
	s := liar.send(payment(hash, owner, Key{9}, 3))
	time.Sleep(10 * time.Second)
	_, ok := w.Executed(s)
	p.swallowed = !ok
	var genesis string
	liar.call(&genesis, "getGenesisHash")
	p.genesis = genesis != w.Genesis().String()
	return p
}

// blockInSkipped asks for a block on the fork that is left, whose slot the
// surviving chain skipped.
func blockInSkipped(w *World, c *client) bool {
	final, _ := w.Finalized()
	for slot := final; slot > final-1000; slot-- {
		if _, ok := w.Height(slot); !ok {
			return c.code("getBlock", slot, object{"transactionDetails": "none"}) == 0
		}
	}
	return false
}

// TestChangeableLiar checks that it tells different lies.
func TestChangeableLiar(t *testing.T) {
	inBubble(t, Config{Seed: 4, Nodes: []NodeConfig{{Liar: LiarChangeable}}}, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		levels := map[string]bool{}
		for range 100 {
			time.Sleep(time.Second)
			st := c.statuses(Signature{5}).Value[0]
			switch {
			case st == nil:
				levels["null"] = true
			case st.Err != nil:
				levels["failed"] = true
			default:
				levels[st.ConfirmationStatus] = true
			}
		}
		if len(levels) != 3 {
			t.Fatalf("%v", levels)
		}
	})
}
