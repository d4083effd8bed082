package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/signer"
)

// pricing are the flags of the sources of prices.
type pricing struct{ url, key, tier, network, others string }

func (f *pricing) flags(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "prices-url", "", "the URL of the source of prices onchaindata, if the policy has trades")
	flags.StringVar(&f.key, "prices-key", "", "a file with the key for it")
	flags.StringVar(&f.tier, "prices-tier", string(onchaindata.TierDemo), "the plan of that key: demo or pro")
	const others = "a file with a line NAME URL for each further source of prices, see docs/signer.md"
	flags.StringVar(&f.others, "prices-others", "", others)
	flags.StringVar(&f.network, "prices-network", "solana", "the network whose tokens it is asked for")
}

// sources are those that the flags name.
func (f *pricing) sources() (all []signer.Prices, err error) {
	if f.others != "" {
		text, err := os.ReadFile(f.others)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line)
			if len(words) != 2 {
				return nil, fmt.Errorf("%s: a line is a name and a URL", f.others)
			}
			all = append(all, &webPrices{name: words[0], url: walletfi.NewSecret(words[1])})
		}
	}
	if f.url == "" {
		return all, nil
	}
	key, err := os.ReadFile(f.key)
	if err != nil {
		return nil, err
	}
	cfg := onchaindata.Config{
		Tier: onchaindata.Tier(f.tier), DemoBaseURL: f.url, APIKey: walletfi.NewSecret(strings.TrimSpace(string(key))),
	}
	if cfg.Tier == onchaindata.TierPro {
		cfg.DemoBaseURL, cfg.ProBaseURL = "", f.url
	}
	client, err := onchaindata.New(cfg)
	if err != nil {
		return nil, err
	}
	return append(all, signer.PricesOf(client, f.network)), nil
}

// webPrices is a source that answers GET with the prices of the mints that its query names.
type webPrices struct {
	name string
	url  walletfi.Secret // it may hold a key
}

func (w *webPrices) Source() string { return w.name }

// longestAnswer bounds what is read of an answer.
const longestAnswer = 1 << 20

func (w *webPrices) Prices(ctx context.Context, unit string, mints []string) (all []signer.Price, err error) {
	at, err := url.Parse(w.url.Reveal())
	if err != nil {
		return nil, fmt.Errorf("the URL of the prices of %s is none", w.name)
	}
	query := at.Query()
	query.Set("unit", unit)
	query.Set("mints", strings.Join(mints, ","))
	at.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("the URL of the prices of %s is none", w.name)
	}
	direct := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := direct.Do(request)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // without the URL
		}
		return nil, fmt.Errorf("the prices of %s: %w", w.name, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the prices of %s: %s", w.name, answer.Status)
	}
	err = json.NewDecoder(io.LimitReader(answer.Body, longestAnswer)).Decode(&all)
	return all, err
}
