package flows

import "github.com/walletfi/walletfi-go/deployment"

// otherNumbers are forms of numbers that the renamed deployment has, under their
// documented names, in all services that know the name.
var otherNumbers = map[string]deployment.Number{
	"amount":           {Scale: 6},
	"inAmount":         {Scale: 3},
	"outAmount":        {Scale: 9, Prefix: "~", Suffix: " units"},
	"totalDeposited":   {Scale: 6},
	"balance":          {Scale: 2},
	"claimAmount":      {Scale: 4},
	"tipLamports":      {Scale: 9},
	"apy":              {Scale: -4},
	"yes_price":        {Scale: -2, Live: deployment.JSONString, Neutral: deployment.JSONNumber},
	"no_price":         {Scale: -2, Live: deployment.JSONString, Neutral: deployment.JSONNumber},
	"volume_24h":       {Live: deployment.JSONString, Neutral: deployment.JSONNumber},
	"priceUsd":         {Prefix: "$"},
	"price_usd":        {Prefix: "USD ", Scale: -3},
	"volume_in_usd":    {Suffix: " USD"},
	"like_count":       {Live: deployment.JSONString, Neutral: deployment.JSONNumber},
	"amount_in":        {Scale: 6},
	"burnAmount":       {Scale: 2},
	"blockNumber":      {Live: deployment.JSONString, Neutral: deployment.JSONNumber},
	"relayTipLamports": {Scale: 9},
}

// otherPages are the lists that the renamed deployment pages otherwise, by service and
// operation.
var otherPages = map[string]*deployment.Paging{
	"predictmeta GET /api/v1/markets": {Form: deployment.PagingCursor, Param: "after",
		Next: "links.next", Size: 50, List: "markets"},
	"predictmeta GET /api/v1/events": {Form: deployment.PagingPage, Param: "leaf",
		First: new(0), Size: 50, List: "events"},
	"predictmeta GET /api/v1/trades": {Form: deployment.PagingCursor, Param: "after",
		Next: "next", Size: 100, List: "trades"},
	"lending GET /v1/account/{walletAddress}/history": {Form: deployment.PagingPage,
		Param: "leaf", Size: 50, List: "events"},
	"smartaccount GET /accounts/{accountId}/transactions": {Form: deployment.PagingCursor, Param: "after",
		Next: "next", List: "transactions"},
	"onchaindata GET /networks/{network}/pools": {Form: deployment.PagingOffset,
		Param: "from", Size: 20, List: "data"},
	"onchaindata GET /networks/{network}/new_pools": {Form: deployment.PagingCursor, Param: "after",
		Next: "next", Size: 20, List: "data"},
	"socialsearch GET /2/posts/search/recent": {Form: deployment.PagingOffset, Param: "from",
		More: "paging.more", List: "data"},
}
