package onchaindata

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// tokenPools writes the top pools of some tokens, each once.
func (v *view) tokenPools(tokens ...*token) (included []any) {
	if len(v.include) == 0 {
		return nil
	}
	var seen []*pool
	for _, t := range tokens {
		for _, p := range v.topPoolsOf(t) {
			if !slices.Contains(seen, p) {
				seen, included = append(seen, p), append(included, v.pool(p))
			}
		}
	}
	return included
}

type multiTokensRequest struct {
	_         struct{} `rule:"at most 30 addresses on the demo tier, 50 on the pro tier"`
	Network   string   `path:"network" open:"a network"`
	Addresses string   `path:"addresses" form:"words"`
	Include   string   `query:"include" list:"top_pools"`
}

func (in multiTokensRequest) Problems(c *kit.Call) []string {
	if most := map[string]int{"": 30, pro: 50}[c.Host]; strings.Count(in.Addresses, ",") >= most {
		return []string{fmt.Sprintf("more than %d addresses", most)}
	}
	return nil
}

// multiTokens answers for the tokens that there are, at most 30 on the demo
// tier and 50 on the pro tier.
func (b *Service) multiTokens(c *kit.Call, in multiTokensRequest) any {
	n := b.network(in.Network)
	v := b.view(c, refresh)
	v.including(in.Include, "")
	tokens := found(n, strings.Split(in.Addresses, ","))
	items := kit.List(tokens, func(t *token) any { return v.token(t) })
	answer := v.document(list(items), v.tokenPools(tokens...))
	v.alone(answer)
	return answer
}

// found are the tokens that there are, each once, in the order asked
// for.
func found(n *network, addresses []string) (tokens []*token) {
	for _, address := range addresses {
		if t := n.token(address); t != nil && !slices.Contains(tokens, t) {
			tokens = append(tokens, t)
		}
	}
	return tokens
}

// capitalization is a token's market cap. If it is unknown and fallback is
// true, it is the value of the total supply.
func (t *token) capitalization(price float64, fallback bool) (float64, bool) {
	supply := t.circulating
	if fallback {
		supply = cmp.Or(supply, t.supply)
	}
	return price * supply, supply > 0
}
