package paid

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"

	"github.com/walletfi/walletfi-go"
)

// service is the name of the service that builds, and of the endpoint from
// which it reads.
const service = "shop"

// shop is a service that builds payments. It has a node of its own.
type shop struct {
	s      *stage
	url    string
	client *http.Client
}

func newShop(s *stage) *shop {
	e := s.w.Endpoint(service)
	return &shop{s: s, url: e.URL(), client: &http.Client{Transport: e.Direct(s.w.NewLine(service))}}
}

// latest reads a blockhash from the service's node.
func (p *shop) latest(ctx context.Context, commitment string) (hash world.Hash, last uint64, err error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"getLatestBlockhash","params":[{"commitment":"` + commitment + `"}]}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader([]byte(body)))
	if err != nil {
		return hash, 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.client.Do(req)
	if err != nil {
		return hash, 0, err
	}
	defer resp.Body.Close()
	var answer struct {
		Result struct {
			Value struct {
				Blockhash            string
				LastValidBlockHeight uint64
			}
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return hash, 0, err
	}
	hash, err = world.ParseHash(answer.Result.Value.Blockhash)
	return hash, answer.Result.Value.LastValidBlockHeight, err
}

// build builds the key's next set. It takes as long as it does for a
// blockhash to become as old as it is drawn to be.
func (p *shop) build(ctx context.Context, k *key, nonce *nonceValue) (*build, walletfi.Unsigned, error) {
	n := p.s.court.number(k)
	d, shares := k.dice.of("build", n), p.s.plan.Shares
	u := walletfi.Unsigned{Intent: k.intent()}
	var hash world.Hash
	if nonce != nil {
		hash = nonce.value
	} else {
		level := "confirmed"
		switch x := d.of("level").float(); {
		case x < shares.Quick:
			level = "processed"
		case x < shares.Quick+shares.Slow:
			level = "finalized"
		}
		var last uint64
		var err error
		if hash, last, err = p.latest(ctx, level); err != nil {
			return nil, u, err
		}
		if d.of("old").chance(shares.Old) {
			if !rest(ctx, d.of("age").long(time.Second, pick(d.of("oldest"), 30*time.Second, 60*time.Second))) {
				return nil, u, ctx.Err()
			}
		}
		u.Blockhash = pick(d.of("named"), hash.String(), "")
		u.LastValidBlockHeight = d.of("last").lastHeight(last, shares.BadLast)
	}
	b := &build{key: k, n: n}
	for i := range k.size {
		x, raw := k.transaction(b, i, hash, nonce)
		b.txs = append(b.txs, x)
		u.Transactions = append(u.Transactions, walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(raw)))
	}
	p.s.court.built(b)
	p.s.diary.add("%s: build %d, %d transactions, last valid height %d", k.name, n, k.size, u.LastValidBlockHeight)
	return b, u, nil
}

// lastHeight is what a service says of the last valid height.
func (d dice) lastHeight(truth uint64, wrong float64) uint64 {
	if !d.of("wrong").chance(wrong) {
		return truth
	}
	switch x := d.of("how").float(); {
	case x < 0.4:
		return 0
	case x < 0.75:
		return truth - uint64(d.of("early").long(1, 200))
	}
	return truth + uint64(d.of("late").long(1, 400))
}

// transaction makes the i-th of a build, unsigned.
func (k *key) transaction(b *build, i int, hash world.Hash, nonce *nonceValue) (*tx, []byte) {
	x := &tx{build: b, i: i, hash: hash, payer: k.owner}
	if k.machine.sponsored {
		x.payer = sponsor()
	}
	var list []instruction
	if nonce != nil {
		x.nonce = nonce.account
		list = append(list, advanceNonce(nonce.account, k.owner.address))
	}
	list = append(list,
		transfer(k.owner.address, payee(k.n).address, k.amount),
		memo(fmt.Sprintf("%s build %d transaction %d", k.name, b.n, i)))
	x.message, x.signers = compile(x.payer.address, hash, list...)
	return x, envelope(x.message, x.signers)
}

// rest waits, and reports whether ctx lives.
func rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
