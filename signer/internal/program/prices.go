package program

import (
	"os"
	"strings"

	"github.com/spf13/pflag"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/signer"
)

// pricing are the flags of the source of prices.
type pricing struct{ url, key, tier, network string }

func (f *pricing) flags(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "prices-url", "", "the URL of the source of prices onchaindata, if the policy has trades")
	flags.StringVar(&f.key, "prices-key", "", "a file with the key for it")
	flags.StringVar(&f.tier, "prices-tier", string(onchaindata.TierDemo), "the plan of that key: demo or pro")
	flags.StringVar(&f.network, "prices-network", "solana", "the network whose tokens it is asked for")
}

// sources are none without a URL.
func (f *pricing) sources() ([]signer.Prices, error) {
	if f.url == "" {
		return nil, nil
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
	return []signer.Prices{signer.PricesOf(client, f.network)}, nil
}
