//! Secrets of many kinds, in the places where authors forget them.
//!
//! All of them are invented. Each is split in two, so that no secret scanner reports this repository.

/// A kind of secret, the name of a file and its content.
pub const KEYS: &[(&str, &str, &str)] = &[
("aws key pair", "sync.sh", concat!("aws configure set aws_access_key_id AS", "IA43H766AIOVGODND4
aws configure set aws_secret_access_key baDlmipCGMqque6bsK", "Nuqu6Cgp36fEXvxRjZWF9U
")),
("github fine-grained token", "config.toml", concat!(r#"[github]
token = "github_"#, r#"pat_bLYRoFM1VuVFJbysfdvRbK_o0S5ksO5qNAnxR2Y1AsMDnfx3XfZYaqGAw6WKZqjJUuboCbTWp7xR43ej2B"
"#)),
("github server token", "release.yml", concat!("env:
  GH_TOKEN: ghs", "_zwJ80wM71pVda3KV8y1bnn4kBXOFH57TIm53
")),
("google api key", "maps.js", concat!(r#"const key = "AI"#, r#"zaKRtGYzflJykkRbWEiSuJLRbqVAg0G89Cea1";
export default key;
"#)),
("slack bot token", "notify.py", concat!(r#"SLACK = "xo"#, r#"xb-991397464177-5702303938332-tPXS8wkDithFDfekDX5OL4x4"
"#)),
("slack webhook", "notify.sh", concat!("curl -d @message.json https://hooks.sl", "ack.com/services/TQCI3UNJ9/BNSPCN6IQPA/xo04TwemwnupDZTAVdrjwrIt
")),
("openai project key", "ask.py", concat!(r#"import openai

client = openai.OpenAI(api_key="sk-"#, "proj-EuaPiJuJTG8-yQj3DuvNkqc-O-QCWZGImFquQwquvLnG57ct0RsqyEO09DTimhn2trlYt6DqvqT3Blbk", r#"FJ2Oc5ONdmlKNIop-Y4Rg1K3xnXRLnruVgA2Wm1Nf3tC4-7F647B0hbOj_jxnkonuBfMuJFOVVxu")
"#)),
("anthropic key", "settings.json", concat!(r#"{
  "anthropicKey": "sk-"#, r#"ant-api03-T8f1GWMUThmfpPijkQ4ZIplFGwPlYjXkzR-NmC4BhBYXsA4cY3uf5umQ_krIXgMCq4onO9TgC1HFSIYPWlmPsz3D0HwloAA"
}
"#)),
("stripe live key", "charge.rb", concat!(r#"Stripe.api_key = "sk_"#, r#"live_518gaqW4ixkY0TYntMxTukiF3TgBRvpK0E0gY9BYdDyJ6ZDLhb85IVS4LaHNnWfgbkC9OQvIvswE5DyRTYBvwH06F5QfMFImcGS"
"#)),
("npm token", "publish.sh", concat!("npm config set //registry.npmjs.org/:_authToken=npm", "_MzQPg9xYZxrfRrFrPGfs705H6T5iC7B4iUqY
")),
("pypi token", "upload.sh", concat!("twine upload -u __token__ -p pypi-", "AgEIcHlwaS5vcmcCLiqO2Mzg29Hn0W9yF8LQvv8-ORj0FCN9cH_1mUnffgPqbaz-zwtu3hYZqndJa2d-Ma7difC7-zSioab9EiXzQeMVDB7q1R6teoD4yo06DOSHV8iMJIfwv24F dist/*
")),
("hugging face token", "model.py", concat!(r#"from huggingface_hub import login

login("hf"#, r#"_vKsPKQQtqwlgcPAjWyuTmVMRlytsvHzIPF")
"#)),
("json web token", "session.txt", concat!("Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6Ik", "pXVCJ9.eyJzdWIiOiJ1LTQ4MjEzIiwicm9sZSI6ImFkbWluIiwiaWF0IjoxNzY3MjI1NjAwfQ.Zmlts7kKMza4exwTFax_XzQy9SDNxcKXzY7pXcYZ65b
")),
("private key", "host.pem", concat!("-----BEGIN OPENSSH PRI", "VATE KEY-----
67phyq0Oy1GaKnjkKpAicOJmvMGByVTRgHtjVvs6jMUIkiH/4wJTR4WNRt1740q/47uPyB
Ru8YWAnhJzLUGd+XGQJEfdp2U3O1TVFoKhPX+u36he+X+CU/RxH0guUQ15e7ruNngZudi/
IqPfYoMkNznAOHoqMwlfvKka2RNs3o+rZQWHma6x/zULPSoNvch9oaAg/uD680/wBnQfUc
cpu7cZZn3n1lbTwl0GNTFOy434dsCsgzdmTFQ5HNMp6DH1MlICLXdkdblVEto38XzEqMcv
QvvhEu8yEQmPjcdRFWWzpYO/1mljBdEEpkJVwLkjinVhjpAiiQ0MrXTJJO7A1jRuFgZXvD
g1IKIqZAftMM8IxHimE7AeuJ==
-----END OPENSSH PRI", "VATE KEY-----
")),
("rsa private key", "tls.md", concat!("# TLS

```text
-----BEGIN RSA PRI", "VATE KEY-----
YOb7fzdaMzaX1AL2S6zLoyDjk4c6Ix9lFwnta2+FnYjFxDHJUcUkkTB3xauMpMC0
TCXgOcFgogj6JdONRiiETH8kmYtn4wnOPi/JjTuPuY2DaTxwYA/30PALTealRe8n
Xf782X0MR37KerdTXj3vc5+T3bKh/8PchfHeYeT6xOIKws8zDmj6aIrOrChqswf4
yfiPt2buYdMKhVQkia9szmdgHzB6DIP6Y0lbz1LivnCuMgIHl/lBYYlud1cgKxss
pC6vHyUienY5xGWpAkcpxkEWkhBL3VwLDPkYDv5o1WXI8M+ZM+Jsap83PdDF7ZFw
-----END RSA PRI", "VATE KEY-----
```
")),
("connection string", "database.py", concat!(r#"URL = "postgresql://reports:k8"#, r#"Vq2mZtR9wL@db.acme-reports.net:5432/sales"
"#)),
("mongodb connection string", "database.env", concat!("MONGO_URL=mongodb+srv://svc-app:h7", "Yp4nXcB2sD@cluster0.k3x9f.mongodb.net/prod
")),
("password in code", "login.py", concat!(r#"import smtplib

server = smtplib.SMTP("mail.acme-reports.net")
server.login("robot", password="Tr4"#, r#"v3-Qm8!zLp27")
"#)),
];
