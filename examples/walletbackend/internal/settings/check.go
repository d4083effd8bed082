package settings

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
)

// pinned are the services whose transactions are signed, as Pins names them.
var pinned = []string{"lending", "smartaccount", "leverage", "predictmeta", "swap", "amm", "providerswap", "burnclose",
	"onchaindata", "socialsearch", "webhooks"}

// check names the first field that is missing or wrong.
func (s *Settings) check() error {
	services := reflect.ValueOf(s.Services)
	for i := range services.NumField() {
		name := "services." + services.Type().Field(i).Tag.Get("json")
		if name == "services.onchaindataTier" {
			continue
		}
		if err := address(name, services.Field(i).String(), "http", "https"); err != nil {
			return err
		}
	}
	switch tier := s.Services.OnchainDataTier; {
	case tier != "demo" && tier != "pro":
		return fmt.Errorf("services.onchaindataTier is %q, it must be demo or pro", tier)
	case s.Network == "":
		return fmt.Errorf("network is missing")
	case s.PublicURL != "" && s.WebhookNetwork == "":
		return fmt.Errorf("webhookNetwork is missing")
	case s.PublicURL != "" && s.WebhookTemplate == "":
		return fmt.Errorf("webhookTemplate is missing")
	}
	for service := range s.Pins {
		if !slices.Contains(pinned, service) {
			return fmt.Errorf("pins.%s is the name of no service", service)
		}
	}
	if s.SignerPage != "" {
		if err := address("signerPage", s.SignerPage, "https"); err != nil {
			return err
		}
	}
	if s.SandboxControl != "" {
		if err := address("sandboxControl", s.SandboxControl, "http", "https"); err != nil {
			return err
		}
	}
	if s.PublicURL == "" {
		return nil
	}
	return address("publicURL", s.PublicURL, "https")
}

// address reports a field that is no URL of one of the schemes.
func address(name, text string, schemes ...string) error {
	if text == "" {
		return fmt.Errorf("%s is missing", name)
	}
	if u, err := url.Parse(text); err != nil || u.Host == "" || !slices.Contains(schemes, u.Scheme) {
		return fmt.Errorf("%s is %q, it must be a URL that begins with %s://", name, text, schemes[len(schemes)-1])
	}
	return nil
}
