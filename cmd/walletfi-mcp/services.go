package main

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

// mostResponse bounds what a service answers, in bytes: some of it is kept for cursors.
const mostResponse = 4 << 20

// access holds all that a client is made of. Where an address is empty, the deployment's is taken.
type access struct {
	url     func(host string) string
	key     walletfi.Secret
	meter   *meter
	options walletfi.Options
}

// services make the clients.
var services = map[string]func(access) (any, error){
	"amm": func(a access) (any, error) {
		return amm.New(amm.Config{TradeURL: a.url(""), DataURL: a.url("data"), Options: a.options})
	},
	"burnclose": func(a access) (any, error) {
		return burnclose.New(burnclose.Config{BaseURL: a.url(""), APIKey: a.key, Options: a.options})
	},
	"lending": func(a access) (any, error) {
		return lending.New(lending.Config{BaseURL: a.url(""), APIKey: a.key, Options: a.options})
	},
	"leverage": func(a access) (any, error) {
		return leverage.New(leverage.Config{BaseURL: a.url(""), APIKey: a.key, Options: a.options})
	},
	"onchaindata": func(a access) (any, error) {
		return onchaindata.New(onchaindata.Config{DemoBaseURL: a.url(""), APIKey: a.key, Options: a.options})
	},
	"predictmeta": func(a access) (any, error) {
		return predictmeta.New(predictmeta.Config{BaseURL: a.url(""), APIKey: a.key, Options: a.options})
	},
	"providerswap": func(a access) (any, error) {
		return providerswap.New(providerswap.Config{BaseURL: a.url(""), APIKey: a.key, Options: a.options})
	},
	"smartaccount": func(a access) (any, error) {
		token := walletfi.Token{Access: a.key}
		return smartaccount.New(smartaccount.Config{BaseURL: a.url(""), Token: token, Options: a.options})
	},
	"socialsearch": func(a access) (any, error) {
		return socialsearch.New(socialsearch.Config{
			BaseURL: a.url(""), BearerToken: a.key, Spend: a.meter.Meter, Options: a.options,
		})
	},
	"swap": func(a access) (any, error) {
		return swap.New(swap.Config{BaseURL: a.url(""), APIKey: a.key, Options: a.options})
	},
	"webhooks": func(a access) (any, error) {
		return webhooks.New(webhooks.Config{BaseURL: a.url(""), APIKey: a.key, Options: a.options})
	},
}

// variable is the name of an environment variable, as walletfi sandbox prints them.
func variable(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.ToUpper("WALLETFI_" + strings.Join(parts, "_"))
}

// open makes the client of a service, by the environment and the files that the flags name. It
// returns the service's secret besides.
func (c *config) open(
	service string, d *deployment.Deployment, m *meter,
) (client reflect.Value, key walletfi.Secret, err error) {
	key, err = c.key(service)
	if err != nil {
		return client, key, err
	}
	made, err := services[service](access{
		url:   func(host string) string { return os.Getenv(variable(service, host, "URL")) },
		key:   key,
		meter: m,
		options: walletfi.Options{
			Deployment: d, AllowHTTP: c.allowHTTP, OwnRoutes: d != nil, MaxResponseBytes: mostResponse,
		},
	})
	if err != nil {
		return client, key, fmt.Errorf("%s (its address is in %s or the file of --deployment, its key in %s or "+
			"the file of --key-file): %w", service, variable(service, "URL"), variable(service, "KEY"), err)
	}
	return reflect.ValueOf(made), key, nil
}
