"""`python -m app.main` is the console script."""

from app.main import command

if __name__ == "__main__":
    command()
